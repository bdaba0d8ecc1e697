# The installation and the CMake package. find_package(reex CONFIG) defines reex::instrument, both from the build tree
# (reex_DIR=<build>) and from an installation.
include(CMakePackageConfigHelpers)

set(reex_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/reex)

install(TARGETS reex_rt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/reex COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/reex/runtime/record/reex_gdb.py DESTINATION ${CMAKE_INSTALL_LIBDIR}/reex
  COMPONENT program)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/applicability.py DESTINATION ${CMAKE_INSTALL_BINDIR}
  RENAME reex-applicability COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/survey DESTINATION ${CMAKE_INSTALL_DATADIR}/reex COMPONENT program
  FILES_MATCHING PATTERN "*.py")
# As they lie in the sources, so that their links lead somewhere.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
  FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.svg")

configure_package_config_file(cmake/reexConfig.cmake.in ${PROJECT_BINARY_DIR}/reexConfig.cmake
  INSTALL_DESTINATION ${reex_package_dir} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/reexConfigVersion.cmake COMPATIBILITY SameMinorVersion)

export(EXPORT reex NAMESPACE reex:: FILE ${PROJECT_BINARY_DIR}/reexTargets.cmake)
install(EXPORT reex NAMESPACE reex:: FILE reexTargets.cmake DESTINATION ${reex_package_dir}
  COMPONENT development)
foreach(script reexDiscoverTests.cmake reexAddTests.cmake)
  configure_file(cmake/${script} ${PROJECT_BINARY_DIR}/${script} COPYONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/reexConfig.cmake ${PROJECT_BINARY_DIR}/reexConfigVersion.cmake
  ${PROJECT_BINARY_DIR}/reexDiscoverTests.cmake ${PROJECT_BINARY_DIR}/reexAddTests.cmake
  DESTINATION ${reex_package_dir} COMPONENT development)

include(cmake/cpack.cmake)
