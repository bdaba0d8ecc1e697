#include "reex/process/packed_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "reex/process/machine.h"

namespace reex {
namespace {

constexpr std::uint64_t k_magic = 0x6b6361702d786572; // "rex-pack"
constexpr std::uint64_t k_most_data = 256U << 20;     // of more, a copy would take long
constexpr std::size_t k_chunk = 1U << 20;

struct PackedHeader {
  std::uint64_t magic;
  std::uint64_t size; // of the sparse file
  std::uint64_t extents;
};

struct PackedExtent {
  std::uint64_t offset;
  std::uint64_t length;
};

// The parts with data. Empty if the file system does not tell, or if they are too long together.
std::vector<PackedExtent> extents_of(int file, std::size_t size) {
  std::vector<PackedExtent> all;
  std::uint64_t data = 0;
  for (off_t at = 0; static_cast<std::size_t>(at) < size;) {
    const off_t begin = lseek(file, at, SEEK_DATA);
    if (begin < 0) {
      if (errno == ENXIO) break; // only a hole is left
      return {};
    }
    at = lseek(file, begin, SEEK_HOLE);
    if (at <= begin) return {};
    all.push_back({static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(at - begin)});
    data += all.back().length;
    if (data > k_most_data) return {};
  }
  return all;
}

} // namespace

bool transfer_all(bool writes, int file, void* bytes, std::size_t length, std::uint64_t offset) {
  auto* at = static_cast<char*>(bytes);
  while (length != 0) {
    const auto place = static_cast<off_t>(offset);
    const ssize_t count = writes ? pwrite(file, at, length, place) : pread(file, at, length, place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    offset += static_cast<std::uint64_t>(count);
    length -= static_cast<std::size_t>(count);
  }
  return true;
}

namespace {

template <typename Row>
bool read_row(int file, Row& row, std::uint64_t offset) {
  return transfer_all(false, file, &row, sizeof row, offset);
}

template <typename Row>
bool write_row(int file, Row row, std::uint64_t offset) {
  return transfer_all(true, file, &row, sizeof row, offset);
}

bool copy(int from, std::uint64_t from_offset, int to, std::uint64_t to_offset, std::uint64_t length) {
  std::vector<char> bytes(std::min<std::uint64_t>(length, k_chunk));
  for (std::uint64_t done = 0; done < length;) {
    const std::size_t chunk = std::min<std::uint64_t>(bytes.size(), length - done);
    if (!transfer_all(false, from, bytes.data(), chunk, from_offset + done) ||
        !transfer_all(true, to, bytes.data(), chunk, to_offset + done))
      return false;
    done += chunk;
  }
  return true;
}

bool write_packed(int sparse, int packed, std::size_t size, const std::vector<PackedExtent>& extents) {
  std::uint64_t at = 0;
  if (!write_row(packed, PackedHeader{k_magic, size, extents.size()}, at)) return false;
  at += sizeof(PackedHeader);
  for (const PackedExtent& extent : extents) {
    if (!write_row(packed, extent, at)) return false;
    at += sizeof extent;
    if (!copy(sparse, extent.offset, packed, at, extent.length)) return false;
    at += extent.length;
  }
  return true;
}

} // namespace

void pack_file(const std::string& path, std::size_t size) {
  const int sparse = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (sparse < 0) return;
  // Another run of the same test locks the file before it takes its place.
  struct stat status = {};
  struct stat named = {};
  const bool ours = flock(sparse, LOCK_EX | LOCK_NB) == 0 && fstat(sparse, &status) == 0 &&
                    stat(path.c_str(), &named) == 0 && status.st_ino == named.st_ino;
  const bool whole = ours && static_cast<std::size_t>(status.st_size) == size;
  const std::vector<PackedExtent> extents = whole ? extents_of(sparse, size) : std::vector<PackedExtent>();
  if (!extents.empty()) {
    const std::string made = path + ".packed";
    unlink(made.c_str());
    const int packed = open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const bool written = packed >= 0 && write_packed(sparse, packed, size, extents) && fsync(packed) == 0;
    if (packed >= 0 && (close(packed) != 0 || !written || rename(made.c_str(), path.c_str()) != 0))
      unlink(made.c_str());
  }
  close(sparse);
}

bool is_packed(int file, std::size_t size) {
  PackedHeader header = {};
  return read_row(file, header, 0) && header.magic == k_magic && header.size == size;
}

bool unpack_file(int packed, int sparse, std::size_t size) {
  PackedHeader header = {};
  if (!read_row(packed, header, 0) || !make_sparse(sparse, size)) return false;
  std::uint64_t at = sizeof header;
  for (std::uint64_t i = 0; i < header.extents; ++i) {
    PackedExtent extent = {};
    if (!read_row(packed, extent, at)) return false;
    at += sizeof extent;
    if (extent.offset > size || extent.length > size - extent.offset) return false;
    if (!copy(packed, at, sparse, extent.offset, extent.length)) return false;
    at += extent.length;
  }
  return true;
}

} // namespace reex
