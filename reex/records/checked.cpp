#include "reex/records/checked.h"

namespace reex {

std::string Checked::text(const char* place, std::size_t room, const char* what) const {
  std::string copy(room, '\0');
  std::memcpy(copy.data(), place, room);
  end_of_copy();
  const std::size_t end = copy.find('\0');
  if (end == std::string::npos) damaged(std::string(what) + " has no end");
  copy.resize(end);
  return copy;
}

void Checked::out_of_range(const char* what, std::uint64_t value, std::uint64_t limit) const {
  damaged(std::string(what) + " is " + std::to_string(value) + ", and at most " + std::to_string(limit));
}

} // namespace reex
