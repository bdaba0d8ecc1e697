// Writes a sparse file without its holes, and back: a state that stays on the disk looks as large as it is.
//
// Format: a PackedHeader, then a PackedExtent with its bytes for each part of the file that has data.
//
// Callers: the parent process, when no other process uses the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace reex {

// Writes all of the bytes to the file, or reads them from it.
bool transfer_all(bool writes, int file, void* bytes, std::size_t length, std::uint64_t offset);

// The packed file takes the place of the sparse one of this size. Nothing happens if there is much data, or
// no room for it: the sparse file is as good.
void pack_file(const std::string& path, std::size_t size);

// Whether the file is a packed one of a sparse file of this size.
bool is_packed(int file, std::size_t size);
// Writes what was packed into a new, sparse file of this size. False: it is damaged, or there is no room.
bool unpack_file(int packed, int sparse, std::size_t size);

} // namespace reex
