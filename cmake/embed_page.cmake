# cmake -DFOLDER=… -DOUTPUT=… -P embed_page.cmake
# Writes the parts of the study's HTML page into a C++ file: the command carries its page.
set(parts)
foreach(part html css js)
  file(READ ${FOLDER}/page.${part} text)
  string(APPEND parts "const std::string_view page_${part} = R\"page(${text})page\";\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_page.cmake.
#include \"study/page.hpp\"

namespace limber::app::study {

${parts}
}  // namespace limber::app::study
")
