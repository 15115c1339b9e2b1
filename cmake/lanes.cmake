# What works in the lanes of vector registers is compiled once for each width of them, and chosen at run time by
# what the processor can do. For the width that the library's own flags have (16 bytes in a portable library) these
# flags are good, for the others there are levels of x86-64: so the tests of a build for one machine run what a
# portable library has, too.
#
# Only recursions are compiled for wide registers; set-up, which makes use of the standard library, is not: its
# functions have general names, and the linker could give those of a wide set to a program on an older processor
# (test/batch/symbols.cmake checks this).
set(LIMBER_WIDTHS "" CACHE STRING "Bytes of the registers that lanes are compiled for, some of 16;32;64. Empty: all in \
a portable library, 16 and those of LIMBER_ARCH in one for that")
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
set(widths ${LIMBER_WIDTHS})
if(NOT lanes_x86)
  set(widths 16)
elseif(NOT widths AND LIMBER_ARCH)
  set(widths 16 ${own_registers})
elseif(NOT widths)
  set(widths 16 32 64)
endif()
list(APPEND widths ${own_registers})
list(REMOVE_DUPLICATES widths)
foreach(bytes ${widths})
  target_compile_definitions(limber_group_options INTERFACE LIMBER_HAS_REGISTERS_${bytes})
endforeach()

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

# Many states at once: the recursions for Packs of `lanes` doubles, for batch/. Threads write to common memory through
# the files of batch/ among them.
set(lane_recursions kinematics jacobian inverse_dynamics mass_matrix tree_factor forward_dynamics derivatives
  matrix_functions)
list(TRANSFORM lane_recursions REPLACE "(.+)" "src/dynamics/\\1.cpp")
list(APPEND lane_recursions src/constraint/articulated_loops.cpp src/batch/lanes/kernels.cpp)
set(lane_set_up src/dynamics/matrix_workspace.cpp src/model/model.cpp src/model/body_motion.cpp src/model/tree_matrix.cpp src/model/workspace.cpp
  src/constraint/mechanism.cpp src/constraint/loop_plan.cpp src/batch/lanes/memory.cpp)
function(limber_add_lanes bytes)
  math(EXPR lanes "${bytes} / 8")
  limber_objects(limber_lanes_${lanes} "batch/lanes" ${lane_recursions})
  limber_objects(limber_lanes_${lanes}_set_up "batch/lanes" ${lane_set_up})
  foreach(part limber_lanes_${lanes} limber_lanes_${lanes}_set_up)
    target_compile_definitions(${part} PRIVATE LIMBER_SCALARS_LANES=${lanes})
  endforeach()
  limber_for_registers(limber_lanes_${lanes} ${bytes})
  target_compile_options(limber_lanes_${lanes}_set_up PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
foreach(bytes ${widths})
  limber_add_lanes(${bytes})
endforeach()

# Many columns of one matrix at once: a matrix workspace chooses (src/dynamics/matrix_functions.hpp). Those for the
# registers of the library's own flags are in its core.
foreach(bytes ${widths})
  if(NOT bytes EQUAL own_registers)
    limber_objects(limber_matrices_${bytes} none src/dynamics/derivatives.cpp src/dynamics/coriolis.cpp)
    limber_objects(limber_float_matrices_${bytes} none src/dynamics/derivatives.cpp src/dynamics/coriolis.cpp)
    if(NOT LIMBER_FROM)
      target_compile_definitions(limber_float_matrices_${bytes} PRIVATE LIMBER_SCALARS_FLOAT)
      limber_for_registers(limber_matrices_${bytes} ${bytes})
      limber_for_registers(limber_float_matrices_${bytes} ${bytes})
    endif()
  endif()
endforeach()
