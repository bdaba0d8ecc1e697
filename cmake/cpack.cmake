# Packages: `cpack --config build/CPackConfig.cmake` makes .deb files, split as Debian splits, and one archive.
#   reex      the program, its runtime, what tests are linked with, manual page and completions
#   reex-dev  find_package(reex)
#   reex-doc  the pages
set(CPACK_PACKAGE_NAME reex)
set(CPACK_PACKAGE_VENDOR "the developers of reex")
set(CPACK_PACKAGE_CONTACT "the developers of reex <reex@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "find the thread schedules under which a C++ test fails")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development documentation)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_PACKAGE_FILE_NAME reex-${PROJECT_VERSION}-x86_64-linux)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME reex)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"reex runs a multithreaded test again and again under controlled thread
schedules, in the order of their preemptions. Given a commit, it first tries
the schedules that interrupt a thread where the commit has an impact. Each
schedule that fails is shown, and written to a file that replays it.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# The headers of the compiler that libclang needs to parse a change.
if(REEX_LIBCLANG_VERSION)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libclang-common-${REEX_LIBCLANG_VERSION}-dev")
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "g++ | clang, git, python3")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gdb, reex-dev, reex-doc")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME reex-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"The package for CMake: find_package(reex) gives reex::instrument, which a test
is linked with, and reex_discover_tests().")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "reex (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS cmake)

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME reex-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION
"The pages of reex: a tutorial, how it works, its limits, what each term and
count means, and the formats of its files.")

include(CPack)
