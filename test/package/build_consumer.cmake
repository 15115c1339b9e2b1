# cmake -DSOURCE=… -DBUILD=… -DCOMPILER=… -DGENERATOR=… -DLAUNCHER=… -DWAY=installed|subdirectory
#       -DARCH=… -DWERROR=… -DPYTHON=… -P build_consumer.cmake
# Builds and runs consumer/ in a temporary folder, outside source and build tree.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
endfunction()

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/consumer DESTINATION ${folder})

if(WAY STREQUAL installed)
  # moved after installation: nothing in it may depend on where it was put first, or on the source tree
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/first)
  file(RENAME ${folder}/first ${folder}/prefix)
  execute_process(COMMAND grep -rlF -e ${SOURCE}/robots -e ${folder}/first ${folder}/prefix
    OUTPUT_VARIABLE tied)
  if(tied)
    message(FATAL_ERROR "installed files that name the source tree or the first prefix:\n${tied}")
  endif()
  run(${folder}/prefix/bin/limber info puma560)
  set(way -DCMAKE_PREFIX_PATH=${folder}/prefix)
else()
  # compiled like the build that this test belongs to, which has nearly all of it
  set(way -DLIMBER_SUBDIRECTORY=${SOURCE} -DCMAKE_BUILD_TYPE=Release -DLIMBER_ARCH=${ARCH}
    -DLIMBER_WERROR=${WERROR} -DLIMBER_BUILD_VIEWER=OFF)
  if(PYTHON)
    set(LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/reuse.py)
    set(ENV{REUSE_BUILD} ${BUILD})
    set(ENV{REUSE_FOLDER} ${folder}/build/limber)
  endif()
endif()

run(${CMAKE_COMMAND} -S ${folder}/consumer -B ${folder}/build -G ${GENERATOR} ${way}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/consumer)
if(WAY STREQUAL installed)
  run(${folder}/build/compiled)
  # the force plug-in of docs/forces.md, with the CMake file that the page shows
  run(${CMAKE_COMMAND} -S ${SOURCE}/examples/force_plugin -B ${folder}/wind -G ${GENERATOR} ${way}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
  run(${CMAKE_COMMAND} --build ${folder}/wind)
  run(${folder}/prefix/bin/limber simulate ${SOURCE}/examples/force_plugin/wind.yaml --no-report
    --set force_elements.wind.file=${folder}/wind/wind.so -o ${folder}/out)
endif()
file(REMOVE_RECURSE ${folder})
