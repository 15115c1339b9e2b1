# cmake -DSOURCE=… -P listings.cmake
# README.md shows examples/01_first.cpp word for word, with what it prints.
file(READ ${SOURCE}/README.md readme)
foreach(file examples/01_first.cpp examples/01_first.expected)
  file(READ ${SOURCE}/${file} text)
  string(FIND "${readme}" "\n${text}```\n" place)
  if(place EQUAL -1)
    message(SEND_ERROR "README.md does not contain ${file} as it is: copy it again into its code block")
  endif()
endforeach()
