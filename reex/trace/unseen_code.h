// Code of a test in which threads may talk to each other unseen, because it is not instrumented: the
// reduction cannot rely on it (semantics: "Reduction").
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/maps.h"

namespace reex {

// Libraries that instrumented code calls, and source files inside instrumented modules, as words for a gap.
// What was found about a file is remembered.
std::vector<std::string> unseen_code(const std::vector<MappedModule>& modules);

// "a.cpp in libx.so, liby.so and more are not instrumented".
std::string unseen_code_names(const std::vector<std::string>& unseen);
// Why a data race may be none.
std::string unseen_order_reason(const std::vector<std::string>& unseen);

} // namespace reex
