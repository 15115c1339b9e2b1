# What the model compiler needs from the source tree: headers that are written into and beside generated code
# (Pack, and the columns of derivatives), and a fingerprint of everything that generated code depends on, by
# which cached code is known.
function(limber_embed function folder)
  set(embedded ${PROJECT_BINARY_DIR}/${function}.cpp)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE files)
  string(REPLACE ";" "," names "${ARGN}")
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/${folder} -DFILES=${names} -DFUNCTION=${function}
      -DOUTPUT=${embedded} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} cmake/embed_files.cmake)
  target_sources(limber_compiler PRIVATE ${embedded})
endfunction()
limber_embed(embedded_pack include/limber/scalar pack.hpp pack_sincos.hpp)
limber_embed(embedded_columns src/compile column_solver.hpp column_lanes.hpp)

set(fingerprint ${PROJECT_BINARY_DIR}/source_fingerprint.cpp)
file(GLOB fingerprinted CONFIGURE_DEPENDS include/limber/scalar/* include/limber/math/* include/limber/spatial/*
  include/limber/model/* include/limber/dynamics/* include/limber/constraint/* include/limber/compile/* src/scalar/* src/math/* src/spatial/*
  src/model/* src/dynamics/* src/constraint/* src/compile/*)
add_custom_command(OUTPUT ${fingerprint}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${fingerprint}
    -P ${PROJECT_SOURCE_DIR}/cmake/source_fingerprint.cmake
  DEPENDS ${fingerprinted} cmake/source_fingerprint.cmake)
target_sources(limber_compiler PRIVATE ${fingerprint})
