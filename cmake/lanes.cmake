# The recursions once more for Packs, many states at once: one set for each width of registers. batch/
# chooses among them at run time, by what the processor can do. Only the recursions are compiled for
# wide registers; set-up, which makes use of the standard library, is not: its functions have general
# names, and the linker could give those of a wide set to a program on an older processor
# (test/batch/symbols.cmake checks this).
set(lane_recursions kinematics jacobian inverse_dynamics mass_matrix tree_factor forward_dynamics derivatives)
list(TRANSFORM lane_recursions REPLACE "(.+)" "src/dynamics/\\1.cpp")
list(APPEND lane_recursions src/batch/lanes/kernels.cpp)
set(lane_set_up src/dynamics/matrix_workspace.cpp src/model/model.cpp src/model/tree_matrix.cpp src/model/workspace.cpp
  src/batch/lanes/memory.cpp)

# a set of `lanes` doubles, compiled with the options that follow
function(limber_add_lanes lanes)
  limber_objects(limber_lanes_${lanes} ${lane_recursions})
  limber_objects(limber_lanes_${lanes}_set_up ${lane_set_up})
  foreach(part limber_lanes_${lanes} limber_lanes_${lanes}_set_up)
    target_compile_definitions(${part} PRIVATE LIMBER_SCALARS_LANES=${lanes})
  endforeach()
  target_compile_options(limber_lanes_${lanes} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=300>" $<$<CONFIG:Debug>:-O0> ${ARGN})
  # g++ 12 does not align the stack of a function that calls no other and reaches its vectors only by
  # pointers into an array; this option makes it align the stack
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND lanes_x86)
    target_compile_options(limber_lanes_${lanes} PRIVATE -mincoming-stack-boundary=3)
  endif()
  target_compile_options(limber_lanes_${lanes}_set_up PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

string(REGEX MATCH "x86_64|AMD64" lanes_x86 "${CMAKE_SYSTEM_PROCESSOR}")
limber_add_lanes(2)
if(lanes_x86 AND NOT LIMBER_DOUBLE_ONLY)
  # never without optimisation: functions that are not inlined would leave names behind
  limber_add_lanes(4 -march=x86-64-v3 -O3)
  limber_add_lanes(8 -march=x86-64-v4 -O3)
  target_compile_definitions(limber PRIVATE LIMBER_WIDE_LANES)
endif()
