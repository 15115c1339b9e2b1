# cmake -DFOLDER=… -DOUTPUT=… -P embed_page.cmake
# Writes the parts of the study's HTML page into a C++ file: the command carries its page.
set(parts)
foreach(file page.html page.css chart.js data.js plots.js page.js)
  string(MAKE_C_IDENTIFIER ${file} name)
  file(READ ${FOLDER}/${file} text)
  string(APPEND parts "const std::string_view ${name} = R\"page(${text})page\";\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_page.cmake.
#include \"study/page.hpp\"

namespace limber::app::study {

${parts}
}  // namespace limber::app::study
")
