// The memory of the test that a format of printf or scanf names: the texts of %s, and the results of a scan.
// The rules are those of glibc. A format with numbered arguments (%1$s), and a conversion that glibc does not
// know, end what is seen.
//
// Callers: the running fiber. `pc` is the return address of the call. The list of arguments stays as it is.
//
// Cost: one pass over the format, if `pc` lies in the test's own code; nothing otherwise.
#pragma once

#include <cstdarg>

namespace reex {

// The scheduling points of the texts that printf reads, before the call. Then what it reads of them.
void reach_texts(const char* format, std::va_list arguments, void* pc);
void read_texts(const char* format, std::va_list arguments, void* pc);

// The same of the results of scanf, of which it has assigned so many.
void reach_results(const char* format, std::va_list arguments, void* pc);
void write_results(const char* format, std::va_list arguments, int assigned, void* pc);

} // namespace reex
