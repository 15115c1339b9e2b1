# cmake -DLIMBER=… -DNVCC=… -DWORK=… -P cuda.cmake
# The CUDA text of an arm and of a closed mechanism, in both precisions, is taken by the CUDA compiler without a warning. No GPU is needed.
if(NOT NVCC)
  message(STATUS "SKIPPED: no CUDA compiler (nvcc) was found")
  return()
endif()
foreach(robot puma560 four_bar)
  file(REMOVE_RECURSE ${WORK})
  set(functions forward_dynamics,forward_dynamics_derivatives)
  if(robot STREQUAL four_bar)
    set(functions forward_dynamics,step)
  endif()
  execute_process(COMMAND ${LIMBER} compile ${robot} --quiet --output ${WORK} --name arm --targets cuda
    --functions ${functions} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${WORK}/example.cu example)
  string(REPLACE "float" "double" example "${example}")
  file(WRITE ${WORK}/example_double.cu "${example}")
  foreach(source example example_double)
    execute_process(COMMAND ${NVCC} -std=c++17 -arch=sm_80 -Werror all-warnings -c ${source}.cu -o ${source}.o
      WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
