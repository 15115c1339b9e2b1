# The recursions once more for scalars besides double: float; expressions of the model compiler, made once per robot,
# and the numbers that carry derivatives or count operations, which are not timed and compiled quickly.
set(tree kinematics jacobian inverse_dynamics mass_matrix tree_factor forward_dynamics)
set(traced ${tree} derivatives matrix_functions matrix_workspace)
set(observed ${tree} hybrid_dynamics energy centroidal star_dynamics)
set(in_float ${traced} actuation centroidal coriolis energy floating_base hybrid_dynamics linearization load_derivatives
  momentum_observer operational_space regressor star_dynamics)
foreach(list traced observed in_float)
  list(TRANSFORM ${list} REPLACE "(.+)" "src/dynamics/\\1.cpp")
  list(APPEND ${list} src/model/model.cpp src/model/body_motion.cpp src/model/tree_matrix.cpp src/model/workspace.cpp
    src/model/joint_space.cpp)
endforeach()

# closed mechanisms
set(closed mechanism loop_plan articulated_loops loop_drift)
list(TRANSFORM closed REPLACE "(.+)" "src/constraint/\\1.cpp")
list(APPEND traced ${closed})
list(APPEND in_float ${closed} src/constraint/close_loops.cpp src/constraint/closed_dynamics.cpp
  src/constraint/loop_rows.cpp src/constraint/row_solver.cpp)
foreach(file open team dual articulated systems)
  list(APPEND observed src/constraint/arm_${file}.cpp)
  list(APPEND in_float src/constraint/arm_${file}.cpp)
endforeach()

limber_objects(limber_float none ${in_float})
limber_objects(limber_expressions none ${traced})
limber_objects(limber_observing none ${observed})
if(NOT LIMBER_FROM)
  target_compile_definitions(limber_float PRIVATE LIMBER_SCALARS_FLOAT)
  target_compile_options(limber_float PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=300>)
  target_compile_definitions(limber_expressions PRIVATE LIMBER_SCALARS_EXPR)
  target_compile_definitions(limber_observing PRIVATE LIMBER_SCALARS_OBSERVING)
  foreach(group limber_expressions limber_observing)
    target_compile_options(${group} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endif()
