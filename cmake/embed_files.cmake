# cmake -DFOLDER=… [-DFILES=a,b] -DFUNCTION=… -DOUTPUT=… -P embed_files.cmake
# Writes files of a folder into a C++ file, all robots and scenarios without FILES: the library carries what
# it ships.
if(FILES)
  string(REPLACE "," ";" files ${FILES})
else()
  file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*.urdf ${FOLDER}/*.yaml)
endif()
list(SORT files)
get_filename_component(folder_name ${FOLDER} NAME)
set(entries)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${FOLDER}/${file} text)
  string(APPEND entries "    {\"${name}\", \"${folder_name}/${file}\", R\"file(${text})file\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_files.cmake.
#include \"io/embedded.hpp\"

namespace limber {

std::span<const EmbeddedFile> ${FUNCTION}() {
  static constexpr EmbeddedFile files[] = {
${entries}  };
  return files;
}

}  // namespace limber
")
