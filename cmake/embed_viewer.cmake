# cmake -DPAGE=… -DOUTPUT=… -P embed_viewer.cmake
# Writes the report page into a C++ file, in pieces of a length that every compiler takes;
# an empty PAGE, or an empty file, gives an empty string. The page is plain ASCII.
set(text)
if(PAGE)
  file(READ ${PAGE} text)
endif()
string(FIND "${text}" ")page\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains the text that ends its string literal, )page\"")
endif()
string(LENGTH "${text}" length)
set(piece_length 15000)
set(pieces "    \"\"\n")
set(start 0)
while(start LESS length)
  string(SUBSTRING "${text}" ${start} ${piece_length} piece)
  string(APPEND pieces "    R\"page(${piece})page\"\n")
  math(EXPR start "${start} + ${piece_length}")
endwhile()
file(WRITE ${OUTPUT} "// Written by cmake/embed_viewer.cmake.
#include \"report/embedded_viewer.hpp\"

namespace limber {

static constexpr char page[] =
${pieces};
const std::string_view report_template(page, sizeof(page) - 1);

}  // namespace limber
")
