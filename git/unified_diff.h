// The difference of two texts as people, patch(1) and `git apply` read it.
#pragma once

#include <string>
#include <string_view>

namespace reex {

// "" if they are equal. `path` is what both sides are called; an empty `before` is a new file. Three lines of
// context. Throws RepositoryError if the module of libgit2 cannot be loaded.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

} // namespace reex
