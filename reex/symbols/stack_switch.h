// UnhookedCode::switches. Only for files in reex/symbols/.
#pragma once

#include "reex/symbols/module_code.h"

namespace reex::detail {

// The unit is written in assembly and saves and loads the registers of fibers, nothing else: it loads the
// stack pointer, and has no loop, no call, no system call, no fence and no atomic instruction. What a fiber's
// registers are when it goes on orders nobody: whoever resumes it has learned of it elsewhere. Or all that it
// exports are Boost.Context's functions (make_fcontext and its kin).
bool switches_stacks(const ModuleCode& module, const CodeUnit& unit);

} // namespace reex::detail
