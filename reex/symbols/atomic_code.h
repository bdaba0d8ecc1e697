// UnhookedCode::atomics. The compilers turn each atomic operation of instrumented code into a call of a hook,
// so an atomic instruction that is left is one that nobody sees. Other accesses of assembly that nobody sees
// have a mark (hooks/assembler/users_assembly.h). So are those of exempted functions (exempted_code.h). Cost:
// the instrumented functions in which a byte suggests one are decoded (Zydis). Only for files in
// reex/symbols/.
#pragma once

#include <string_view>

#include "reex/symbols/module_code.h"

namespace reex::detail {

// `whole` names the code of a stripped file.
std::vector<std::string> atomic_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                     const std::string& whole, std::size_t at_most);

// Whether there is an atomic instruction, a fence, or a system call. What is no code counts as it decodes.
bool may_synchronize(std::string_view code);

} // namespace reex::detail
