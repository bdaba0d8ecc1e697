# The libraries that reex needs. scripts/install-dependencies.sh installs them from Debian's packages.
find_package(PkgConfig REQUIRED)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw libelf)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(fmt REQUIRED)
find_package(pugixml REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h)
if(NOT TOMLPLUSPLUS_INCLUDE)
  message(FATAL_ERROR "toml++ was not found: install libtomlplusplus-dev")
endif()
add_library(reex_toml INTERFACE) # its headers alone: nothing is linked
target_include_directories(reex_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)

find_path(LIBCLANG_INCLUDE clang-c/Index.h PATHS /usr/lib/llvm-19/include /usr/lib/llvm-17/include
  /usr/lib/llvm-16/include /usr/lib/llvm-15/include /usr/lib/llvm-14/include)
find_library(LIBCLANG_LIBRARY clang PATHS /usr/lib/llvm-19/lib /usr/lib/llvm-17/lib /usr/lib/llvm-16/lib
  /usr/lib/llvm-15/lib /usr/lib/llvm-14/lib)
if(NOT LIBCLANG_INCLUDE OR NOT LIBCLANG_LIBRARY)
  message(FATAL_ERROR "libclang was not found: install libclang-14-dev")
endif()
add_library(reex_libclang INTERFACE)
target_include_directories(reex_libclang SYSTEM INTERFACE ${LIBCLANG_INCLUDE})
target_link_libraries(reex_libclang INTERFACE ${LIBCLANG_LIBRARY})
