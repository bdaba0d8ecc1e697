// UnhookedCode::atomics. The compilers turn each atomic operation of instrumented code into a call of a hook,
// so an atomic instruction that is left is one that nobody sees. Other accesses of assembly that nobody sees
// have a mark (hooks/assembler/users_assembly.h). So are those of exempted functions (exempted_code.h). Cost:
// the instrumented functions in which a byte suggests one are decoded (Zydis). Only for files in
// reex/symbols/.
#pragma once

#include <string_view>

#include "reex/symbols/module_code.h"

namespace reex::detail {

// Instructions that do nothing, by which reex's assembler tells of assembly (hooks/assembler/routine.cpp):
// before one that has a hook, and before accesses that have none.
inline constexpr std::string_view k_hook_mark = "\x0f\x1f\x80"
                                                "reex";
inline constexpr std::string_view k_unseen_mark = "\x0f\x1f\x80"
                                                  "usen";

// `whole` names the code of a stripped file.
std::vector<std::string> atomic_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                     const std::string& whole, std::size_t at_most);

// Whether there is an atomic instruction, a fence, or a system call. What is no code counts as it decodes.
bool may_synchronize(std::string_view code);

} // namespace reex::detail
