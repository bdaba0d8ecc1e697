// Keeps the facts of units in files, so that a unit is parsed once for the contents that it has. What was the
// new side of a change is the old side of the next one.
//
// Callers: parse_units(), one thread at a time.
//
// Invariants: an entry is used only if it was made by this build of reex with the same command, if every file
// that libclang read has the same content, and if no file has come that would be found before one of them. A
// damaged entry is as good as none, and replaced. Entries come whole or not at all (a new file, renamed), so
// other processes may use the folder, and may be killed, at any moment.
//
// Cost: to find an entry, each file that the units read is read and hashed once.
//
// Errors: none. Where the folder cannot be written, nothing is kept.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/facts/handed_facts.h"
#include "impact/sources/parse_job.h"

namespace reex::impact {

class FactsCache {
public:
  static constexpr std::uint64_t k_limit = 64U << 20;

  // `folder` is created when something is kept; "" for no cache. When it has more than `limit` bytes, the
  // entries that were not used for the longest time are removed. `handed` (impact.h) may be null.
  explicit FactsCache(std::string folder, std::uint64_t limit = k_limit, HandedFacts* handed = nullptr);

  const std::string& folder() const { return m_folder; }
  const std::string& maker() const { return m_maker; }

  std::optional<UnitFacts> find(const ParseJob& job, const Overlays& overlays);
  using Time = std::chrono::system_clock::time_point;
  // Hands all facts over, and keeps those that depend on what was read alone: with errors too, unless a file
  // was not there. `begun` is when the parse began: if a file was written since, nobody knows which of its
  // contents was parsed, and nothing is kept.
  void keep(const ParseJob& job, const Overlays& overlays, const UnitFacts& facts, Time begun);

private:
  std::string key_of(const ParseJob& job) const;
  std::optional<UnitFacts> find_handed(const ParseJob& job, const Overlays& overlays) const;
  std::string handed_key_of(const ParseJob& job, const Overlays& overlays) const;
  // The SHA-256 of a file, or of its overlay; "" if there is no such file.
  const std::string& hash_of(const std::string& path, const Overlays& overlays);
  std::string state_of(const ParseJob& job, const std::vector<std::string>& read, const Overlays& overlays);

  std::string m_folder;
  std::uint64_t m_limit;
  HandedFacts* m_handed;
  std::string m_maker;                                 // the version of reex, and the module that parses
  std::map<std::string, std::string> m_hashes;         // of files on disk
  std::map<std::string, std::string> m_overlay_hashes; // by content
};

} // namespace reex::impact
