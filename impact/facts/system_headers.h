// The system's headers of units, parsed once and kept as precompiled headers. Most of what a parser reads of
// a unit is in them, and they are the same on both sides of a change, in most units of a project, and from
// one commit to the next. The bodies of their functions are left out, because facts are of the user's files
// only.
//
// Callers: parse_units(), on one thread.
//
// Invariants: a unit gets precompiled headers only if
// - they were made by this libclang with the unit's own options, from files that have not changed since;
// - no macro that the user's files of the unit define or undefine is a name in them, so that it makes no
//   difference that they come first.
// Not checked: a file of the user that asks, before it includes a header, whether this header has defined a
// macro. They may have more than the unit includes. An entry counts once its list is there, which is written
// last, so other processes may use the folder, and may be killed, at any moment.
//
// Cost: to make one takes about as long as a parse of the unit, and 10 to 20 MB; a parse with one takes a
// tenth of one without. Headers that come later are parsed with each unit, until that has cost as much as to
// make the precompiled ones again, with them.
//
// Errors: none. Where the folder cannot be written, units are parsed without. So should be a unit that does
// not parse with them.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "impact/sources/parse_job.h"

namespace reex::impact {

struct SystemHeaders {
  std::string file;                 // the precompiled header; "" if there is none, because it does not parse
  std::vector<std::string> names;   // what it includes: <vector>, "gtest/gtest.h"
  std::vector<std::string> refused; // what it does without, because it did not parse with it
  std::vector<std::string> read;    // the files in it
  std::uint64_t bytes = 0;          // of these files
  std::vector<std::uint64_t> words; // hashes of the names in these files, in ascending order

  bool knows(const std::string& name) const;
  bool has_word_of(const std::set<std::string>& macros) const;
};

class SystemHeadersCache {
public:
  static constexpr std::uint64_t k_limit = 256U << 20;

  // `folder`: .reex/cache; "" for none. `maker` names the parser. When there are more than `limit` bytes, the
  // entries that were not used for the longest time are removed.
  SystemHeadersCache(std::string folder, std::string maker, std::uint64_t limit = k_limit);

  struct Choice {
    std::shared_ptr<const SystemHeaders> headers; // null: parse the unit without
    std::vector<std::string> missing;             // what the unit includes besides
  };
  // For each of the units, which are about to be parsed on one side. Makes those that are missing, on at most
  // `threads` threads.
  std::vector<Choice> choose(const std::vector<ParseJob>& jobs, const Overlays& overlays,
                             unsigned threads) const;

  // The unit was parsed with them, and these files were read.
  static void used(const Choice& choice, const std::vector<std::string>& read);

private:
  struct Group; // units with the same options

  void find(Group& group) const;
  void make(Group& group) const;
  bool write(const Group& group, const std::string& path, SystemHeaders& entry) const;
  std::string key_of(const std::vector<std::string>& options, bool is_c) const;

  std::string m_above;
  std::string m_folder;
  std::string m_maker;
  std::uint64_t m_limit;
};

} // namespace reex::impact
