# cmake -DSOURCE=… -DVERSION=… -DOUTPUT=… -P source_fingerprint.cmake
# Writes a C++ file with the version and a hash of the sources from which code for a robot is made.
set(sums)
foreach(room scalar math spatial model dynamics constraint compile)
  file(GLOB files RELATIVE ${SOURCE} ${SOURCE}/include/limber/${room}/* ${SOURCE}/src/${room}/*)
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${SOURCE}/${file} sum)
    string(APPEND sums "${file} ${sum}\n")
  endforeach()
endforeach()
string(SHA256 all "${sums}")
file(WRITE ${OUTPUT} "// Written by cmake/source_fingerprint.cmake.
#include \"compile/fingerprint.hpp\"

namespace limber {

const char* source_fingerprint() { return \"${VERSION} ${all}\"; }

}  // namespace limber
")
