# cmake -DCXX=… -DINCLUDE=… -DEIGEN=… -P reach.cmake
# Guards what a program that includes Limber's headers has to compile.

# runs the compiler on one header with the given flags
function(compile_header header output)
  execute_process(COMMAND ${CXX} -std=c++20 -I${INCLUDE} -I${EIGEN} ${ARGN} -x c++ ${INCLUDE}/${header}
    OUTPUT_VARIABLE text ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${header} does not compile:\n${error}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# fails when a header reaches a file whose path ends in one of the given names
function(forbid header)
  compile_header(${header} files -M)
  foreach(name ${ARGN})
    if(files MATCHES "/${name}[ \n]")
      message(SEND_ERROR "${header} reaches <${name}>; include it in a .cpp file instead")
    endif()
  endforeach()
endfunction()

# fails when a header has more than `most` lines after the preprocessor
function(bound_lines header most)
  compile_header(${header} text -E -P)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends lines)
  message(STATUS "${header}: ${lines} lines after the preprocessor, at most ${most}")
  if(lines GREATER most)
    message(SEND_ERROR "${header} has grown to ${lines} lines after the preprocessor, at most ${most}")
  endif()
endfunction()

set(heavy iostream ostream istream sstream fstream filesystem functional regex map unordered_map chrono
  algorithm memory random thread mutex
  tinyxml2\\.h yaml-cpp/yaml\\.h nlohmann/json\\.hpp fmt/[a-z]+\\.h CLI/CLI\\.hpp
  assimp/[A-Za-z]+\\.hp* meshoptimizer\\.h)
forbid(limber/limber.hpp ${heavy} "Eigen/[A-Za-z]+")
bound_lines(limber/limber.hpp 36000)

forbid(limber/eigen.hpp Eigen/Dense Eigen/Geometry Eigen/LU Eigen/Cholesky Eigen/QR Eigen/SVD
  Eigen/Eigenvalues Eigen/Sparse tinyxml2\\.h yaml-cpp/yaml\\.h nlohmann/json\\.hpp fmt/[a-z]+\\.h)
bound_lines(limber/eigen.hpp 110000)
