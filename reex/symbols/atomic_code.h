// UnhookedCode::atomics. The compilers turn each atomic operation of instrumented code into a call of a hook,
// so an atomic instruction that is left is one that nobody sees. Cost: the instrumented functions in which a
// byte suggests one are decoded (Zydis). Only for files in reex/symbols/.
#pragma once

#include "reex/symbols/module_code.h"

namespace reex::detail {

// `whole` names the code of a stripped file.
std::vector<std::string> atomic_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                     const std::string& whole, std::size_t at_most);

} // namespace reex::detail
