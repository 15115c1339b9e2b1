# The Debian package, made by scripts/package.sh: command, library, headers, robots, scenarios, examples and
# manual pages in one. dpkg-shlibdeps finds the packages whose libraries it needs.
set(LIMBER_MAINTAINER "The Limber authors <limber@localhost>" CACHE STRING
  "Maintainer of the Debian package: name and address")
set(share_doc ${CMAKE_INSTALL_DATADIR}/doc/limber)
install(DIRECTORY examples DESTINATION ${share_doc})
install(FILES CHANGELOG.md DESTINATION ${share_doc})
install(FILES LICENSE DESTINATION ${share_doc} RENAME copyright)
# the changelog in Debian's own form
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/changelog "limber (${PROJECT_VERSION}) stable; urgency=medium\n\n"
  "  * What is new: /usr/share/doc/limber/CHANGELOG.md\n\n -- ${LIMBER_MAINTAINER}  ${now}\n")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${share_doc})
# the library once more for processors with AVX2 and FMA, where scripts/package.sh has put it: the loader of glibc
# takes it on such a machine
install(FILES ${PROJECT_BINARY_DIR}/wide/liblimber.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-v3 OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${LIMBER_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libeigen3-dev, chromium | www-browser")
# the loader's cache is renewed, and packages of programs that use it depend on this one
if(BUILD_SHARED_LIBS)
  set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
  file(WRITE ${PROJECT_BINARY_DIR}/shlibs "liblimber ${soversion} limber (>= ${PROJECT_VERSION})\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers ${PROJECT_BINARY_DIR}/shlibs)
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics and simulation of robots")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Limber simulates robots with their motors and controllers from short
YAML files, leaves reports with a 3-D replay, and computes inverse and
forward dynamics, mass matrices, Jacobians and their derivatives from
URDF files. This package has the command `limber`, the C++ library with its
headers and CMake files, robots and scenarios.")
include(CPack)
