# cmake --install and find_package(limber)
include(CMakePackageConfigHelpers)
install(TARGETS limber limber_compile_options EXPORT limber-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY robots/ DESTINATION ${CMAKE_INSTALL_DATADIR}/limber/robots)
if(TARGET limber_app)
  install(TARGETS limber_app DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT limber-targets NAMESPACE limber:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
configure_package_config_file(cmake/limber-config.cmake.in ${PROJECT_BINARY_DIR}/limber-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limber-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limber-config.cmake ${PROJECT_BINARY_DIR}/limber-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
