// Folders with files that may go at any time: what is kept of earlier analyses.
#pragma once

#include <cstdint>
#include <string>

namespace reex::impact {

bool is_link(const std::string& path);

// Size and time of the last change; "none" if there is no such file.
std::string stamp_of(const std::string& path);

// Makes .reex/cache, and in .reex the file that lets git ignore it. Links are not followed. False: there is
// no such folder.
bool make_cache_folder(const std::string& folder);

// If the folder's files, without those of folders in it, have more than `limit` bytes, removes those that
// were not written or touched for the longest time.
void remove_oldest(const std::string& folder, std::uint64_t limit);

} // namespace reex::impact
