# cmake -DFOLDER=… -DFILES=a,b,… -DOUTPUT=… -P embed_page.cmake
# Writes the parts of a study's HTML page into a C++ file: the command carries its pages. The folder's
# name is the namespace.
get_filename_component(namespace ${FOLDER} NAME)
string(REPLACE "," ";" files ${FILES})
set(parts)
foreach(file ${files})
  string(MAKE_C_IDENTIFIER ${file} name)
  file(READ ${FOLDER}/${file} text)
  string(APPEND parts "const std::string_view ${name} = R\"page(${text})page\";\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_page.cmake.
#include \"${namespace}/page.hpp\"

namespace limber::app::${namespace} {

${parts}
}  // namespace limber::app::${namespace}
")
