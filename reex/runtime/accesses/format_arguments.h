// The memory of the test that a format of printf or scanf names: the texts of %s and %ls, and the results of
// a scan. The rules are those of glibc. A conversion that it does not know ends what is seen, and so does an
// argument beyond the 128th.
//
// Callers: the running fiber. `pc` is the return address of the call. The list of arguments stays as it is.
//
// Cost: three passes over the format, if `pc` lies in the test's own code; nothing otherwise.
#pragma once

#include <cstdarg>

namespace reex {

// The scheduling points of the texts that printf reads, before the call. Then what it reads of them.
// `Char` is char or wchar_t.
template <typename Char>
void reach_texts(const Char* format, std::va_list arguments, void* pc);
template <typename Char>
void read_texts(const Char* format, std::va_list arguments, void* pc);

// The same of the results of scanf, of which it has assigned so many.
template <typename Char>
void reach_results(const Char* format, std::va_list arguments, void* pc);
template <typename Char>
void write_results(const Char* format, std::va_list arguments, int assigned, void* pc);

} // namespace reex
