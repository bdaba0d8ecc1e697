// Code without hooks that does not count as such (UnhookedCode::plain). Only for files in reex/symbols/.
#pragma once

#include "reex/symbols/module_code.h"

namespace reex::detail {

// The unit is written in assembly and saves and loads the registers of fibers, nothing else: it loads the
// stack pointer, and has no loop, no call, no system call, no fence and no atomic instruction. What a fiber's
// registers are when it goes on orders nobody: whoever resumes it has learned of it elsewhere. Or all that it
// exports are Boost.Context's functions (make_fcontext and its kin).
bool switches_stacks(const ModuleCode& module, const CodeUnit& unit);
// The same of a function without debug information, which may be of any language: it does not load the stack
// pointer from the frame pointer, as a function with a frame of its own does.
bool switches_stacks(const ModuleCode& module, const CodeFunction& function);

} // namespace reex::detail
