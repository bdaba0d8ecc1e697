// Code inside an instrumented module that reex does not see. Cost: a walk over the module's code and the
// heads of its compile units; milliseconds for a test of a few megabytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace reex {

// Among UnhookedCode::plain: the module has the C++ library's functions itself.
inline constexpr const char* k_static_library = "the C++ library (linked statically)";

// At most a few of each.
struct UnhookedCode {
  // Compiled without the hooks of -fsanitize=thread: an object file, or a member of a static library. The
  // source files, or where they are not known the functions: without those of the compiler, the languages'
  // libraries and the test frameworks, and without what only switches between the stacks of fibers
  // (stack_switch.h): no thread tells another one anything by that.
  std::vector<std::string> plain;
  // The exported functions that only switch between stacks: no thread switches between what they save.
  std::vector<std::string> switches;
  // Atomic instructions that the compiler did not make, and accesses of functions that are exempted from
  // -fsanitize=thread. "spin.h:12", or the function if there is no debug information. Without those in
  // such libraries, without those of `plain`, and without fences: those change nothing that another thread
  // could read.
  std::vector<std::string> atomics;
};

// Nothing if the code cannot be read. Nothing throws.
std::optional<UnhookedCode> code_without_hooks(const std::string& path, std::size_t at_most);

} // namespace reex
