// What git tells a pre-push hook on its standard input: a line "LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID" for
// each reference (githooks(5)).
#pragma once

#include <string>
#include <vector>

namespace reex {

struct PushedRef {
  std::string local_ref;  // "refs/heads/main", "HEAD~1", "(delete)"
  std::string local_id;   // 40 digits
  std::string remote_ref; // "refs/heads/main"
  std::string remote_id;  // 40 digits

  bool deletes() const; // the local id is all zeros
  bool creates() const; // the remote id is all zeros
};

// Throws UsageError for a line that is none of these, and CommandError (status 6) for ids of SHA-256.
std::vector<PushedRef> parse_pushed_refs(const std::string& text);

// "main" for "refs/heads/main", "tag v1" for "refs/tags/v1".
std::string short_ref(const std::string& ref);

} // namespace reex
