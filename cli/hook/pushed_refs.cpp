#include "cli/hook/pushed_refs.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

constexpr std::size_t k_sha1_digits = 40;
constexpr std::size_t k_sha256_digits = 64;

bool is_zero(const std::string& id) {
  return std::all_of(id.begin(), id.end(), [](char c) { return c == '0'; });
}

void check_id(const std::string& id, const std::string& line) {
  const bool hexadecimal = id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hexadecimal && id.size() == k_sha256_digits)
    throw CommandError(ExitStatus::unresolved,
                       "the repository uses SHA-256, which libgit2 cannot read: reex hook "
                       "uninstall, and run reex with --diff FILE");
  if (!hexadecimal || id.size() != k_sha1_digits)
    throw UsageError(
        fmt::format("standard input: '{}' is not a line as git gives it to a pre-push hook: LOCAL-REF "
                    "LOCAL-ID REMOTE-REF REMOTE-ID",
                    line));
}

} // namespace

bool PushedRef::deletes() const { return is_zero(local_id); }
bool PushedRef::creates() const { return is_zero(remote_id); }

// The local reference is as the user wrote it, and may contain spaces ("HEAD@{1 day ago}"): the other three
// are counted from the end.
std::vector<PushedRef> parse_pushed_refs(const std::string& text) {
  std::vector<PushedRef> refs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    std::string rest = line;
    std::string parts[3];
    for (std::string& part : parts) {
      const std::size_t space = rest.rfind(' ');
      part = space == std::string::npos ? "" : rest.substr(space + 1);
      rest.resize(space == std::string::npos ? 0 : space);
    }
    const PushedRef ref{rest, parts[2], parts[1], parts[0]};
    check_id(ref.local_id, line);
    check_id(ref.remote_id, line);
    refs.push_back(ref);
  }
  return refs;
}

std::string short_ref(const std::string& ref) {
  if (ref.starts_with("refs/heads/")) return ref.substr(11);
  if (ref.starts_with("refs/tags/")) return "tag " + ref.substr(10);
  return ref;
}

} // namespace reex
