# Options of single files of the library.
set_source_files_properties(src/scalar/sincos.cpp PROPERTIES COMPILE_OPTIONS -ftree-vectorize)
# what reads and writes files or text need not be fast, and compiles quickly so
file(GLOB reading_sources CONFIGURE_DEPENDS src/io/*.cpp src/scenario/*.cpp src/compile/emit*.cpp
  src/compile/source*.cpp src/compile/gradient.cpp)
set_source_files_properties(${reading_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
# what runs in every step is many small functions: the compiler may inline them, although a shared library
# could have its functions replaced by others of the same name
file(GLOB stepping_sources CONFIGURE_DEPENDS src/sim/*.cpp src/drive/*.cpp src/control/*.cpp)
set_source_files_properties(${stepping_sources} PROPERTIES
  COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
