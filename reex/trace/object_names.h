// What a trace calls the objects of its operations. A global variable has its name: "config.locked". Another
// object is numbered by first use, for each kind: "mutex#1". Different objects of a trace have different
// names. Parent process, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "reex/shared/operation.h"
#include "reex/symbols/resolver.h"

namespace reex {

class ObjectNames {
public:
  explicit ObjectNames(Resolver& resolver) : m_resolver(resolver) {}

  void begin(); // another trace

  // As in a row of a trace, behind the operation: "mutex#1", "queue.lock"; "" if it has no object.
  std::string name(Operation operation, std::uint64_t object);
  // As in a sentence: "mutex#1", "mutex queue.lock".
  std::string text(Operation operation, std::uint64_t object);

private:
  struct Name {
    std::string kind; // "mutex"
    std::string name;
    bool is_variable = false;
  };
  const Name& known(const std::string& kind, std::uint64_t object);

  Resolver& m_resolver;
  std::unordered_map<std::uint64_t, Name> m_names;
  std::map<std::string, unsigned> m_counts; // by kind, and by name of a variable
};

} // namespace reex
