# cmake -DROBOTS=… -DOUTPUT=… -P embed_robots.cmake
# Writes the robot files of a folder into a C++ file: the library carries the robots that it ships.
file(GLOB files RELATIVE ${ROBOTS} ${ROBOTS}/*.urdf ${ROBOTS}/*.yaml)
list(SORT files)
set(entries)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${ROBOTS}/${file} text)
  string(APPEND entries "    {\"${name}\", \"robots/${file}\", R\"robot(${text})robot\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_robots.cmake.
#include \"io/embedded_robots.hpp\"

namespace limber {

std::span<const EmbeddedRobot> embedded_robots() {
  static constexpr EmbeddedRobot robots[] = {
${entries}  };
  return robots;
}

}  // namespace limber
")
