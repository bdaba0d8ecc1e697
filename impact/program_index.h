// What both sides of a change say of a function or a field, wherever it is: who calls it, where it is
// defined, who reads it, which lock regions its calls begin.
//
// Callers: follow(). It refers to both sides, which must outlive it. Each part is made when it is first
// needed.
//
// Cost: once the facts of both sides for each part; then what is found.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "impact/call_regions.h"
#include "impact/facts/facts.h"
#include "impact/line_index.h"

namespace reex::impact {

// The usr, or the name where a template does not know the function yet.
const std::string& key_of(const Call& call);

class ProgramIndex {
public:
  struct CallPlace {
    bool old;
    const std::string* file;
    unsigned line;
  };
  struct Definition {
    bool old;
    const std::string* file;
    const Function* function;
  };
  struct Read {
    bool old;
    const std::string* file;
    unsigned line;
    const Field* field;
  };
  struct RegionPlace {
    bool old;
    const std::string* file;
    Region region;
  };

  ProgramIndex(const Program& now, const Program& before, const LockingFunctions& locking,
               LineIndexes& lines);

  const FileFacts* facts(bool old, const std::string& file) const; // null: not parsed
  // Of a file that is parsed.
  const LineIndex::Line& line(bool old, const std::string& file, unsigned line);

  // Of the function, and of those that it overrides.
  void for_callers(const Function& function, const std::function<void(const CallPlace&)>& use) const;
  // The library calls operators of the classes that its templates are made for, as those that compare, hash
  // or delete.
  void for_callers_in_library(const Function& function,
                              const std::function<void(const CallPlace&)>& use) const;
  // The guards that call the function where they are declared: the lines of their regions.
  void for_guarded(const Function& function, const std::function<void(const CallPlace&)>& use) const;

  const std::vector<CallPlace>& calls(const std::string& key) const;
  // By usr, by the usrs of what they override, and by name. No lambdas.
  const std::vector<Definition>& definitions(const std::string& key);
  const std::vector<Read>& reads(const std::string& field_name);
  // By the usr of the function that takes the lock.
  const std::vector<RegionPlace>& regions_by(const std::string& taker);
  // Those that begin with a call on that line.
  const std::vector<Region>& regions_at(bool old, const std::string& file, unsigned line);

private:
  void find_definitions();
  void find_reads();
  void find_regions();

  const Program* m_sides[2]; // the new one, the old one
  const LockingFunctions& m_locking;
  std::map<std::string, std::vector<CallPlace>> m_calls;
  std::map<std::string, std::vector<Definition>> m_definitions;
  std::map<std::string, std::vector<Read>> m_reads;
  std::map<std::string, std::vector<RegionPlace>> m_regions;
  std::map<std::string, std::map<unsigned, std::vector<Region>>> m_regions_at[2]; // by file and first line
  LineIndexes& m_lines;
  std::map<std::string, std::vector<std::string>> m_overridden; // usr of a function -> of what it overrides
  std::map<std::string, std::vector<CallPlace>> m_calls_in_library; // by usr
  bool m_has_regions = false;
};

} // namespace reex::impact
