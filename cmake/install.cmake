# `cmake --install` and find_package(limber). The installed tree may be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)

install(TARGETS limber EXPORT limber-targets)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY robots scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
if(TARGET limber_app)
  # a shared library is found beside the command, wherever both are put
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(limber_app PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS limber_app EXPORT limber-targets)
  file(RELATIVE_PATH workbench_to_lib ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBEXECDIR}/limber ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(limber_workbench PROPERTIES INSTALL_RPATH "$ORIGIN/${workbench_to_lib}")
  install(TARGETS limber_workbench EXPORT limber-targets DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/limber)
  # manual pages: what the command's --help says
  set(manual ${PROJECT_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${manual}/limber.1.gz
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/man_pages.sh $<TARGET_FILE:limber_app> ${manual}
    DEPENDS limber_app limber_workbench cmake/man_pages.sh COMMENT "Writing manual pages" VERBATIM)
  add_custom_target(limber_manual ALL DEPENDS ${manual}/limber.1.gz)
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
endif()

install(EXPORT limber-targets NAMESPACE limber:: DESTINATION ${package_dir})
configure_package_config_file(cmake/limber-config.cmake.in ${PROJECT_BINARY_DIR}/limber-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limber-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limber-config.cmake ${PROJECT_BINARY_DIR}/limber-config-version.cmake
  cmake/FindHdf5Serial.cmake cmake/FindMeshLibraries.cmake cmake/LimberRobot.cmake
  DESTINATION ${package_dir})

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/package.cmake)
endif()
