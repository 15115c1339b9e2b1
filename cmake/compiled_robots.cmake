# What the model compiler needs from the source tree: the headers of Pack, which are written beside generated
# code, and a fingerprint of everything that generated code depends on, by which cached code is known.
set(pack_folder ${PROJECT_SOURCE_DIR}/include/limber/scalar)
set(embedded ${PROJECT_BINARY_DIR}/embedded_pack.cpp)
add_custom_command(OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${pack_folder} -DFILES=pack.hpp,pack_sincos.hpp -DFUNCTION=embedded_pack
    -DOUTPUT=${embedded} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${pack_folder}/pack.hpp ${pack_folder}/pack_sincos.hpp cmake/embed_files.cmake)
target_sources(limber PRIVATE ${embedded})

set(fingerprint ${PROJECT_BINARY_DIR}/source_fingerprint.cpp)
file(GLOB fingerprinted CONFIGURE_DEPENDS include/limber/scalar/* include/limber/math/* include/limber/spatial/*
  include/limber/model/* include/limber/dynamics/* include/limber/compile/* src/scalar/* src/math/* src/spatial/*
  src/model/* src/dynamics/* src/compile/*)
add_custom_command(OUTPUT ${fingerprint}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${fingerprint}
    -P ${PROJECT_SOURCE_DIR}/cmake/source_fingerprint.cmake
  DEPENDS ${fingerprinted} cmake/source_fingerprint.cmake)
target_sources(limber PRIVATE ${fingerprint})
