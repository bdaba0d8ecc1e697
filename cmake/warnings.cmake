# reex_warnings: every target of the project links it.
add_library(reex_warnings INTERFACE)
target_compile_options(reex_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(REEX_DEVELOPER)
  target_compile_options(reex_warnings INTERFACE -Werror)
endif()
target_include_directories(reex_warnings INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
