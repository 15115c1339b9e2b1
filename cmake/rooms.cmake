# How the rooms of the library are compiled.
#
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

# objects of the library with options of their own: limber_objects(TARGET FILE…)
function(limber_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE include src)
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:limber,COMPILE_DEFINITIONS>)
  target_link_libraries(${target} PRIVATE ${limber_libraries} ${limber_headers})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize;-Wno-psabi>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  limber_together(${target})
  target_sources(limber PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()
function(limber_together target)
  if(LIMBER_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
      UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
    # g++ takes the files for headers, whose anonymous namespaces would be many
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
limber_together(limber)

# what reads and writes files or text need not be fast, and compiles quickly so
limber_objects(limber_text ${text_sources})
target_compile_options(limber_text PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
limber_unwatched(limber_text thread)

set_source_files_properties(src/scalar/sincos.cpp PROPERTIES COMPILE_OPTIONS -ftree-vectorize)
