// Keeps a folder of small files small.
#pragma once

#include <cstddef>
#include <string>

namespace reex {

// Removes all but the newest `most` files. Another run may remove the same files meanwhile.
void keep_the_newest(const std::string& folder, std::size_t most);

} // namespace reex
