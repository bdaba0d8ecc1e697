// Patterns for paths and for names of functions.
#pragma once

#include <string_view>

namespace reex {

// `*` and `?` stand for anything but a slash, `**` also for slashes; `[a-z]` for one of these. A pattern
// without a slash is compared with the last part of the path; one that ends with a slash means everything
// below that folder.
bool glob_matches_path(std::string_view pattern, std::string_view path);

// `*` stands for anything. A name matches with or without its parameters, and without the namespaces and
// classes in front: "pop", "Queue::pop", "*::pop", "pop(int)".
bool glob_matches_function(std::string_view pattern, std::string_view function);

} // namespace reex
