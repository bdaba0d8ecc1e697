// UnhookedCode::plain. Judged by compile unit, because a function without accesses and calls has no hooks in
// any case. Where there is no debug information, judged by function. Only for files in reex/symbols/.
#pragma once

#include "reex/symbols/module_code.h"

namespace reex::detail {

std::vector<std::string> plain_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                    std::size_t at_most);

} // namespace reex::detail
