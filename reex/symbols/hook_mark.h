// The instructions that do nothing, by which reex's assembler tells of assembly
// (hooks/assembler/routine.cpp).
#pragma once

#include <string_view>

namespace reex::detail {

// Before an instruction that has a hook.
inline constexpr std::string_view k_hook_mark = "\x0f\x1f\x80"
                                                "reex";
// Before accesses that have none.
inline constexpr std::string_view k_unseen_mark = "\x0f\x1f\x80"
                                                  "usen";

} // namespace reex::detail
