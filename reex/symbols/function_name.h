// Names as people write them.
#pragma once

#include <string_view>

namespace reex {

// Whether `function`, a qualified name with parameters (Frame::function), is the one that is called `name`:
// "Queue::add" or "add" of "ns::Queue::add(int)". An empty name is of no function.
bool is_function(std::string_view function, std::string_view name);

// Whether only the compiler and its libraries may have the name (C++20, [lex.name]).
bool is_reserved(std::string_view name);

} // namespace reex
