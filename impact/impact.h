// The entry point of impact/: from a change to the impacted code points <C, M, L, F> of CAPP.
//
// Callers: the command line, in the parent process. collect_impact() starts its own parser threads and ends
// them before it returns. A repository must not be used by another thread meanwhile.
//
// Cost: one libclang parse of each unit concerned, on `jobs` threads.
//
// Errors: RepositoryError (exit status 6) if the base or the diff cannot be resolved. If something cannot be
// analysed (no compile_commands.json, a unit that does not parse, a stale binary), the result is based on the
// changed lines and the binary's DWARF, and `notes` says so.
//
// Source: CAPP (dissertation, section 4.2.1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "git/change.h"
#include "git/error.h"
#include "impact/code_points.h"
#include "impact/facts/handed_facts.h"
#include "impact/reach/reach.h"
#include "impact/sources/chain.h"

namespace reex {

class Repository;

struct ImpactRequest {
  std::string repository = ".";                // any path inside it
  std::string base;                            // a revision; may be empty with diff_text
  std::optional<std::string> head;             // nullopt: the new side is the files on disk
  bool merge_base = false;                     // the old side is the merge base of `base` and the head
  bool staged = false;                         // the new side is what is staged
  std::optional<std::string> diff_text;        // a unified diff instead of base and head
  std::optional<std::string> binary;           // the test, from which the units are known
  std::optional<std::string> compile_commands; // the file or its folder; nullopt: search for it
  unsigned jobs = 0;                           // parser threads, 0: one per processor
  bool cache = false;                          // keep facts of units in .reex/cache (facts_cache.h)
  std::string cache_parent;                    // the folder with .reex; "": the root of the repository
  // False: units whose facts are neither in the cache nor handed over are left out.
  bool parses = true;
  bool reach = false; // parse all units, and find which test cases can reach nothing impacted
  std::optional<std::pair<std::string, unsigned>> why; // a file and a line: what counts there (AskedPlace)
  // Facts from one process to another, which is asked for the same: those that are here are not parsed, and
  // those that are parsed are added. May be null.
  HandedFacts* handed = nullptr;
};

// One code point <C, M, L, F>. A part that is empty or 0 means "do not care".
struct CodePoint {
  std::string class_name{}; // qualified; "" for free functions and globals (and then M or F is set)
  std::string method{};     // qualified within the class, "get::(lambda)" for a lambda
  unsigned line = 0;
  std::string field{};    // a data member, or a global or captured variable of class ""
  std::string file{};     // relative to the repository's root, or absolute outside it
  Chain why{};            // back to the change, see chain.h
  bool any_class = false; // for a dependent member of a template: <any class, f>

  auto operator<=>(const CodePoint&) const = default;
};

// What counts at a place that was asked for.
struct AskedPlace {
  std::string file; // like that of a CodePoint
  unsigned line = 0;
  std::vector<CodePoint>
      points; // the line, the methods and classes around it, and the fields that it accesses
};

struct Impact {
  std::string base;                                        // 40 digits, "" for diff_text
  std::optional<std::string> head;                         // 40 digits, nullopt for the files on disk
  std::string root;                                        // the working tree
  std::vector<CodePoint> points;                           // sorted by file, line
  std::map<std::string, std::set<unsigned>> changed_lines; // of the new side, by absolute path
  std::vector<FileChange> changes;                         // the diff of each file, for reports
  std::optional<AskedPlace> asked;
  std::optional<Reach> reach; // if it was asked for
  std::set<std::string>
      unparsed; // changed files of no parsed unit, by absolute path: only their lines are known
  std::vector<std::string> notes; // one line for each thing that is missing or doubtful
  unsigned units_parsed = 0;
  unsigned units_failed = 0;
  unsigned units_cached = 0;   // of all these: those that were parsed in an earlier run
  unsigned units_left_out = 0; // not parsed because they were not to be: the result is not whole
  bool no_cpp_changes = false; // no C or C++ file changed: there is nothing to explore
  bool no_points = false;      // C or C++ files changed, but there is no code point: explore with Basic
  bool elsewhere = false;      // the changed files are all of other programs than the test
  bool stale = false;          // it is proved that the binary was built from other sources
  CodePoints matcher;
};

Impact collect_impact(const ImpactRequest& request);
// The same with a given repository, for tests.
Impact collect_impact(const ImpactRequest& request, Repository& repository);

} // namespace reex
