# What works in the lanes of vector registers is compiled once for each width of them, and chosen at run time by
# what the processor can do. For the width that the library's own flags have (16 bytes in a portable library) these
# flags are good, for the others there are levels of x86-64: so the tests of a build for one machine run what a
# portable library has, too.
#
# Only recursions are compiled for wide registers; set-up, which makes use of the standard library, is not: its
# functions have general names, and the linker could give those of a wide set to a program on an older processor
# (test/batch/symbols.cmake checks this).
string(REGEX MATCH "x86_64|AMD64" lanes_x86 "${CMAKE_SYSTEM_PROCESSOR}")
separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
if(LIMBER_ARCH)
  list(APPEND flags -march=${LIMBER_ARCH})
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -dM -E -x c++ /dev/null
  OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
set(own_registers 16)
if(macros MATCHES "__AVX512F__")
  set(own_registers 64)
elseif(macros MATCHES "__AVX__")
  set(own_registers 32)
endif()
set(level_16 x86-64)
set(level_32 x86-64-v3)
set(level_64 x86-64-v4)

# compiles recursions for registers of `bytes`, see limber_compile_options
function(limber_for_registers target bytes)
  if(lanes_x86 AND NOT bytes EQUAL own_registers)
    set_target_properties(${target} PROPERTIES LIMBER_LEVEL ${level_${bytes}})
  endif()
  # never wide without optimisation: functions that are not inlined would leave names behind
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=300>"
    $<$<CONFIG:Debug>:$<IF:$<EQUAL:${bytes},16>,-O0,-O3>>)
  # g++ 12 forgets to align the stack of a function that calls no other and reaches its vectors only by
  # pointers into an array; told that nobody aligns it, it remembers
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND lanes_x86)
    target_compile_options(${target} PRIVATE -mincoming-stack-boundary=3)
  endif()
endfunction()

# Many states at once: the recursions for Packs of `lanes` doubles, for batch/.
set(lane_recursions kinematics jacobian inverse_dynamics mass_matrix tree_factor forward_dynamics derivatives
  matrix_functions)
list(TRANSFORM lane_recursions REPLACE "(.+)" "src/dynamics/\\1.cpp")
list(APPEND lane_recursions src/constraint/articulated_loops.cpp src/batch/lanes/kernels.cpp)
set(lane_set_up src/dynamics/matrix_workspace.cpp src/model/model.cpp src/model/body_motion.cpp src/model/tree_matrix.cpp src/model/workspace.cpp
  src/constraint/mechanism.cpp src/constraint/loop_plan.cpp src/batch/lanes/memory.cpp)
function(limber_add_lanes lanes)
  limber_objects(limber_lanes_${lanes} ${lane_recursions})
  limber_objects(limber_lanes_${lanes}_set_up ${lane_set_up})
  foreach(part limber_lanes_${lanes} limber_lanes_${lanes}_set_up)
    target_compile_definitions(${part} PRIVATE LIMBER_SCALARS_LANES=${lanes})
    limber_unwatched(${part} address)  # threads write to common memory through them
  endforeach()
  math(EXPR bytes "8 * ${lanes}")
  limber_for_registers(limber_lanes_${lanes} ${bytes})
  target_compile_options(limber_lanes_${lanes}_set_up PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
limber_add_lanes(2)
if(lanes_x86 AND NOT LIMBER_DOUBLE_ONLY)
  limber_add_lanes(4)
  limber_add_lanes(8)
  target_compile_definitions(limber PRIVATE LIMBER_WIDE_LANES)

  # Many columns of one matrix at once: a matrix workspace chooses (src/dynamics/matrix_functions.hpp).
  foreach(bytes 16 32 64)
    if(NOT bytes EQUAL own_registers)
      limber_objects(limber_matrices_${bytes} src/dynamics/derivatives.cpp src/dynamics/coriolis.cpp)
      limber_for_registers(limber_matrices_${bytes} ${bytes})
    endif()
  endforeach()
endif()
