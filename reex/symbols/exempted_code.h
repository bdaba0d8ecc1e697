// Accesses of functions that are exempted from -fsanitize=thread (no_sanitize). g++ with reex's assembler
// gives them hooks (hooks/assembler/users_assembly.h); clang++, and g++ by itself, do not. Only for files in
// reex/symbols/.
#pragma once

#include <cstddef>
#include <optional>

#include "reex/symbols/module_code.h"

namespace reex::detail {

// Where the function first accesses memory that others may change, without a hook, as an offset into its
// code: what it is given a pointer to, or a variable of the module. Nothing if it calls hooks of accesses:
// then its compiler leaves out only what nobody changes. Nothing is told of addresses that the function
// computes itself, which may be those of its own variables or of constants. `by_gnu`: g++ gives no hooks to
// the writes of an object that a function returns, and to functions that do nothing else. Cost: the code is
// decoded (Zydis) up to there.
std::optional<std::size_t> exempted_access(const ModuleCode& module, const CodeFunction& function,
                                           bool by_gnu);

} // namespace reex::detail
