# Makes system_call_names.inc, the names of system calls, from the kernel headers that the compiler finds.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/system_calls.c "#include <sys/syscall.h>\n")
execute_process(COMMAND ${CMAKE_C_COMPILER} -E -dM ${CMAKE_CURRENT_BINARY_DIR}/system_calls.c
  OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "#define __NR_[a-z0-9_]+ [0-9]+" macros "${macros}")
list(TRANSFORM macros REPLACE "#define __NR_([a-z0-9_]+) ([0-9]+)" "{\\2, \"\\1\"},\n")
string(CONCAT rows ${macros})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/system_call_names.inc "${rows}")
