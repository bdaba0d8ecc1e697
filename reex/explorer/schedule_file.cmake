# The small libraries beside the explorer: the shapes of a result, the schedule file, the list of GoogleTest's tests.
pkg_check_modules(libcrypto REQUIRED IMPORTED_TARGET libcrypto)

set(here ${CMAKE_CURRENT_LIST_DIR})

add_library(reex_result STATIC ${here}/result.cpp ${here}/result_json.cpp ${here}/version.cpp ${here}/sha256.cpp)
target_compile_definitions(reex_result PRIVATE REEX_VERSION="${PROJECT_VERSION}")
target_link_libraries(reex_result PUBLIC reex_warnings PRIVATE PkgConfig::libcrypto nlohmann_json::nlohmann_json)

add_library(reex_schedule_file STATIC ${here}/schedule_file.cpp)
target_link_libraries(reex_schedule_file PUBLIC reex_result PRIVATE nlohmann_json::nlohmann_json fmt::fmt)

add_library(reex_gtest_tests STATIC ${here}/gtest_tests.cpp ${here}/gtest_filter.cpp ${here}/captured_process.cpp
  ${here}/environment.cpp)
target_link_libraries(reex_gtest_tests PUBLIC reex_warnings PRIVATE fmt::fmt)
