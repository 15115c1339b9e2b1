# The files of a room compiled as one: most of the time of a small file goes into the headers that it
# includes, for the compiler and for clang-tidy alike. Names in anonymous namespaces must then differ
# within a room. The recursions stay apart, one file of them is work enough; so do the writers of source text,
# which name their parts alike. The release build compiles every file alone, and so sees an include that is
# missing.
foreach(room model io compile batch sim drive control scenario)
  file(GLOB room_sources CONFIGURE_DEPENDS src/${room}/*.cpp)
  list(FILTER room_sources EXCLUDE REGEX "/compile/source_(c|cpp|cuda|lanes)\\.cpp$")
  set_source_files_properties(${room_sources} PROPERTIES UNITY_GROUP ${room})
endforeach()
set_target_properties(limber PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
  UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
