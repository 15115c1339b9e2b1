# The recursions once more for scalars that are not timed: expressions of the model compiler, made once per
# robot, and the numbers that carry derivatives or count operations. They are compiled quickly.
set(recursions kinematics jacobian inverse_dynamics mass_matrix tree_factor forward_dynamics)
set(traced ${recursions} derivatives matrix_functions matrix_workspace)
set(observed ${recursions} hybrid_dynamics energy centroidal star_dynamics)
foreach(list traced observed)
  list(TRANSFORM ${list} REPLACE "(.+)" "src/dynamics/\\1.cpp")
  list(APPEND ${list} src/model/model.cpp src/model/body_motion.cpp src/model/tree_matrix.cpp src/model/workspace.cpp
    src/model/joint_space.cpp)
endforeach()

# closed mechanisms as expressions
list(APPEND traced src/constraint/mechanism.cpp src/constraint/loop_plan.cpp src/constraint/articulated_loops.cpp
  src/constraint/loop_drift.cpp)
foreach(file open team dual articulated systems)
  list(APPEND observed src/constraint/arm_${file}.cpp)
endforeach()

limber_objects(limber_expressions ${traced})
target_compile_definitions(limber_expressions PRIVATE LIMBER_SCALARS_EXPR)
target_compile_options(limber_expressions PRIVATE $<$<CONFIG:Release>:-O1>)
limber_unwatched(limber_expressions "address|thread")
if(NOT LIMBER_DOUBLE_ONLY)
  limber_objects(limber_observing ${observed})
  target_compile_definitions(limber_observing PRIVATE LIMBER_SCALARS_OBSERVING)
  target_compile_options(limber_observing PRIVATE $<$<CONFIG:Release>:-O1>)
endif()
