// Atomic instructions inside an instrumented module that its compiler did not make: inline assembly,
// functions that are exempted from -fsanitize=thread (g++), and objects without hooks. The compilers turn
// each atomic operation of instrumented code into a call of a hook, so an atomic instruction that is left is
// one that nobody sees. Cost: the functions in which a byte suggests one are decoded (Zydis).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace reex {

// Where they stand: "spin.h:12", or the function if there is no debug information. Without those of the
// compiler, the languages' libraries and the test frameworks, without code that plain_code.h names, and
// without fences: those change nothing that another thread could read. At most a few: `at_most`. Nothing if
// the code cannot be read.
std::optional<std::vector<std::string>> atomics_without_hooks(const std::string& path, std::size_t at_most);

} // namespace reex
