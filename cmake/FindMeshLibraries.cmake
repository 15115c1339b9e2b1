# Assimp and meshoptimizer as the targets MeshLibraries::assimp and MeshLibraries::meshoptimizer. (The configuration
# that comes with Assimp would link all that Assimp itself is made with.)
find_path(MeshLibraries_ASSIMP_INCLUDE_DIR assimp/Importer.hpp)
find_library(MeshLibraries_ASSIMP_LIBRARY assimp)
find_path(MeshLibraries_MESHOPTIMIZER_INCLUDE_DIR meshoptimizer.h)
find_library(MeshLibraries_MESHOPTIMIZER_LIBRARY meshoptimizer)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MeshLibraries REQUIRED_VARS
  MeshLibraries_ASSIMP_LIBRARY MeshLibraries_ASSIMP_INCLUDE_DIR
  MeshLibraries_MESHOPTIMIZER_LIBRARY MeshLibraries_MESHOPTIMIZER_INCLUDE_DIR)
foreach(library assimp meshoptimizer)
  string(TOUPPER ${library} upper)
  set(prefix MeshLibraries_${upper})
  mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
  if(MeshLibraries_FOUND AND NOT TARGET MeshLibraries::${library})
    add_library(MeshLibraries::${library} UNKNOWN IMPORTED)
    set_target_properties(MeshLibraries::${library} PROPERTIES IMPORTED_LOCATION ${${prefix}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${${prefix}_INCLUDE_DIR})
  endif()
endforeach()
