# What the library is made of: groups of objects. `limber_core`, `limber_parts`, `limber_set_up` and `limber_text` are the
# rooms for `double`: all that the `limber` command needs to read, compute, simulate and report. The others are built by what calls them, the
# library as a whole, `limber-workbench` and the tests: the model compiler, batches, the textbooks' other
# formulations, and the recursions once more for other scalars (scalars.cmake, lanes.cmake).

# What groups share. Eigen inside the library is compiled with the library's flags: under a name of its own the
# linker does not take its functions for those of a program that was compiled with others (and aligns memory
# otherwise).
# The recursions work on small structs: packing neighbouring scalars into vector registers costs more than
# it gains there (inverse dynamics is a fifth slower with it); what is meant to be vectorised says so.
# What runs in every step is many small functions: the compiler may inline them, although a shared library
# could have its functions replaced by others of the same name.
add_library(limber_group_options INTERFACE)
target_include_directories(limber_group_options INTERFACE include src)
target_compile_definitions(limber_group_options INTERFACE Eigen=limber_eigen)
target_link_libraries(limber_group_options INTERFACE ${limber_libraries} ${limber_headers})
target_compile_options(limber_group_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize;-fno-semantic-interposition;-Wno-psabi>")
if(LIMBER_SANITIZE AND BUILD_SHARED_LIBS)
  # the library calls its own inline functions, which are watched, not those of the tests
  target_link_options(limber PRIVATE -Wl,-Bsymbolic-functions)
endif()

# limber_objects(GROUP WATCHED FILE…): a group of the library. With LIMBER_FROM only those files are compiled whose
# room WATCHED names, and the other objects are those of the build there.
function(limber_objects group watched)
  set(sources ${ARGN})
  if(NOT sources)
    return()
  endif()
  if(LIMBER_FROM)
    list(FILTER sources INCLUDE REGEX "(^|/)src/(${watched})/")
    limber_objects_from(${group} objects)
    list(FILTER objects EXCLUDE REGEX "\\.dir/(\\./)?(Unity/unity_(${watched})_|src/(${watched})/)")
    target_sources(limber PRIVATE ${objects})
    if(NOT sources)
      return()
    endif()
  endif()
  add_library(${group} OBJECT ${sources})
  target_link_libraries(${group} PRIVATE limber_group_options)
  set_target_properties(${group} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  limber_together(${group})
  limber_list_objects(${group})
  target_sources(limber PRIVATE $<TARGET_OBJECTS:${group}>)
endfunction()

# the objects of a target, written down for builds that take them (LIMBER_FROM), and read there
function(limber_list_objects target)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/objects/${target}.txt
    CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
endfunction()
function(limber_objects_from target result)
  if(NOT EXISTS ${LIMBER_FROM}/objects/${target}.txt)
    message(FATAL_ERROR "LIMBER_FROM: there is no ${LIMBER_FROM}/objects/${target}.txt; finish that build first")
  endif()
  file(STRINGS ${LIMBER_FROM}/objects/${target}.txt objects)
  set_source_files_properties(${objects} DIRECTORY ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}
    PROPERTIES EXTERNAL_OBJECT ON)
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Most of the time of a small file goes into the headers that it includes, for the compiler and for clang-tidy
# alike, so the files of a room are compiled as one (LIMBER_UNITY). Names in anonymous namespaces must then
# differ within a room. The recursions stay apart, one file of them is work enough; so do the writers of source
# text, which name their parts alike, lower.cpp, which a test replaces by wrong ones, and what includes Assimp or JSON
# in io. The presets `dev` and `debug` compile every file alone: there one change costs one file, and an include that
# is missing is seen.
if(LIMBER_UNITY)
  foreach(room mesh model io collision compile batch sim drive vehicle control scenario report analysis reference constraint contact fluid)
    file(GLOB room_sources CONFIGURE_DEPENDS src/${room}/*.cpp)
    list(FILTER room_sources EXCLUDE REGEX
      "/compile/(lower|source_(c|cpp|cuda|lanes))\\.cpp$|/io/mesh_(content|reader)\\.cpp$|/constraint/articulated_loops\\.cpp$")
    set_source_files_properties(${room_sources} PROPERTIES UNITY_GROUP ${room})
  endforeach()
  # the largest room in three parts of like size, which two processors compile at once
  file(GLOB readers CONFIGURE_DEPENDS src/io/mjcf*.cpp src/io/sdf*.cpp)
  file(GLOB writers CONFIGURE_DEPENDS src/io/write*.cpp src/io/xml_writer.cpp)
  set_source_files_properties(${readers} PROPERTIES UNITY_GROUP io_readers)
  set_source_files_properties(${writers} PROPERTIES UNITY_GROUP io_writers)
endif()
if(LIMBER_UNITY)
  # three drivers of one recursion
  set_source_files_properties(src/dynamics/forward_dynamics.cpp src/dynamics/hybrid_dynamics.cpp
    src/dynamics/star_dynamics.cpp PROPERTIES UNITY_GROUP articulated)
endif()
function(limber_together target)
  if(LIMBER_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
      UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
    # g++ takes the files for headers, whose anonymous namespaces would be many
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# limber_take(RESULT REGEX): the sources that match, which are left out of those that remain
function(limber_take result regex)
  set(taken ${LIMBER_SOURCES})
  list(FILTER taken INCLUDE REGEX "${regex}")
  list(FILTER LIMBER_SOURCES EXCLUDE REGEX "${regex}")
  set(${result} ${taken} PARENT_SCOPE)
  set(LIMBER_SOURCES ${LIMBER_SOURCES} PARENT_SCOPE)
endfunction()
limber_take(source_text "/src/compile/(emit|source|gradient)")
limber_take(compiler "/src/compile/")
limber_take(batches "/src/batch/")
limber_take(studied "/src/reference/|/src/dynamics/(star_dynamics|regressor|inertial_parameters|operational_space|prescribed_motion|floating_base|actuation)\\.cpp$|/src/spatial/(line|subspace)\\.cpp$|/src/constraint/arm_|/src/sim/team_run\\.cpp$")
limber_take(text "/src/(io|scenario|report|analysis)/")
limber_take(set_up "/src/(mesh|model)/")
limber_take(dense "/src/control/(closed_inverse_kinematics|frame_solver|task_dynamics)\\.cpp$")  # Eigen's solvers
limber_take(parts "/src/(sim|drive|vehicle|control)/")
set(in_every_step ${set_up})
list(FILTER in_every_step INCLUDE REGEX "/(joint_space|joint_partials|joint_lanes|tree_matrix|body_motion)\\.cpp$")
list(REMOVE_ITEM set_up ${in_every_step})
set(command_groups limber_core limber_dense limber_parts limber_set_up limber_text)
limber_objects(limber_core "${LIMBER_WATCHED}" ${LIMBER_SOURCES} ${in_every_step})
limber_objects(limber_parts "${LIMBER_WATCHED}" ${parts})
limber_objects(limber_dense "${LIMBER_WATCHED}" ${dense})
limber_objects(limber_set_up "${LIMBER_WATCHED}" ${set_up})
limber_objects(limber_text "${LIMBER_WATCHED}" ${text})
limber_objects(limber_compiler "${LIMBER_WATCHED}" ${compiler})
limber_objects(limber_source_text "${LIMBER_WATCHED}" ${source_text})
limber_objects(limber_batches "${LIMBER_WATCHED}" ${batches})
limber_objects(limber_studied "${LIMBER_WATCHED}" ${studied})

# Algorithms are compiled with all that the compiler can do, parts, which call them, with -O2 (a quarter less time to
# compile), what runs once and what reads and writes text for a quick build.
function(limber_compiled_with group options)
  if(TARGET ${group})
    target_compile_options(${group} PRIVATE ${options} ${ARGN})
  endif()
endfunction()
foreach(group limber_core limber_studied limber_batches)
  # one file is many recursions, and g++ would stop inlining for the sake of the file's size
  limber_compiled_with(${group} $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=300>)
endforeach()
foreach(group limber_parts limber_compiler)
  limber_compiled_with(${group} $<$<CONFIG:Release>:-O2>)
endforeach()
foreach(group limber_dense limber_set_up)
  limber_compiled_with(${group} $<$<CONFIG:Release>:-O1>)
endforeach()
foreach(group limber_text limber_source_text)
  limber_compiled_with(${group} $<IF:$<CONFIG:Release>,-Og,-O0>)
endforeach()

set_source_files_properties(src/scalar/sincos.cpp PROPERTIES COMPILE_OPTIONS -ftree-vectorize)
