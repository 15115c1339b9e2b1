# The report page: viewer/ is built by npm inside the build folder and becomes a string of the library.
# Limber builds without npm too; then there are no reports.
set(LIMBER_BUILD_VIEWER AUTO CACHE STRING
  "Build the report page: AUTO (if npm is found and works), ON (it must work) or OFF")
set_property(CACHE LIMBER_BUILD_VIEWER PROPERTY STRINGS AUTO ON OFF)

set(viewer_source ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_build ${PROJECT_BINARY_DIR}/viewer)
set(viewer_page ${viewer_build}/report.html)
set(embedded_viewer ${PROJECT_BINARY_DIR}/embedded_viewer.cpp)

if(LIMBER_BUILD_VIEWER)
  find_program(LIMBER_NPM npm)
  mark_as_advanced(LIMBER_NPM)
endif()
if(LIMBER_BUILD_VIEWER AND LIMBER_NPM)
  set(LIMBER_HAS_VIEWER ON)
  file(GLOB viewer_files CONFIGURE_DEPENDS
    ${viewer_source}/*.json ${viewer_source}/*.mjs ${viewer_source}/*.html ${viewer_source}/.npmrc
    ${viewer_source}/src/* ${viewer_source}/test/*)
  add_custom_command(OUTPUT ${viewer_page}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${viewer_source} -DBUILD=${viewer_build} -DPAGE=${viewer_page}
      -DNPM=${LIMBER_NPM} -DMODE=${LIMBER_BUILD_VIEWER} -DTESTS=${LIMBER_BUILD_TESTS}
      -P ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
    DEPENDS ${viewer_files} cmake/build_viewer.cmake
    COMMENT "Building the report page with npm" VERBATIM)
elseif(LIMBER_BUILD_VIEWER STREQUAL AUTO)
  message(STATUS "npm not found: reports are off (limber simulate will write recordings only)")
elseif(LIMBER_BUILD_VIEWER)
  message(FATAL_ERROR "LIMBER_BUILD_VIEWER is ON, but npm was not found. Install nodejs and npm "
    "(scripts/deps.sh does), or set LIMBER_BUILD_VIEWER to AUTO or OFF.")
else()
  message(STATUS "LIMBER_BUILD_VIEWER is OFF: reports are off (limber simulate will write recordings only)")
endif()

add_custom_command(OUTPUT ${embedded_viewer}
  COMMAND ${CMAKE_COMMAND} -DPAGE=$<$<BOOL:${LIMBER_HAS_VIEWER}>:${viewer_page}> -DOUTPUT=${embedded_viewer}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
  DEPENDS $<$<BOOL:${LIMBER_HAS_VIEWER}>:${viewer_page}> cmake/embed_viewer.cmake VERBATIM)
target_sources(limber_core PRIVATE ${embedded_viewer})
