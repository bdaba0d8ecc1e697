// Code of a test in which threads may talk to each other unseen, because it is not instrumented: the
// reduction cannot rely on it (semantics: "Reduction").
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reex/symbols/maps.h"

namespace reex {

// Instrumented code calls a library of the language that accesses its objects, unseen by the runtime.
struct UnseenCall {
  std::string where; // "a.so has strings of libc++"
  std::string remedy;

  bool operator==(const UnseenCall&) const = default;
};

struct UnseenCode {
  std::vector<std::string> plain;    // libraries that instrumented code calls, and source files inside
                                     // instrumented modules, as words for a gap
  std::vector<std::string> atomics;  // places of atomic instructions in instrumented modules: unhooked_code.h
  std::vector<UnseenCall> calls;     // of instrumented modules
  std::vector<std::string> switches; // functions that only switch between stacks: told, but not unseen
  std::vector<std::string> known;    // libraries of which the runtime knows how they order threads: libgomp
  std::vector<std::string> threadless; // libraries through which no thread waits for another (threadless.h)
  std::set<std::string> libraries;     // the paths of those that the loader brought at the start

  void add(const UnseenCode& other);
  // Nothing but such libraries.
  bool is_of_libraries() const {
    return plain.size() + known.size() + threadless.size() == libraries.size() && atomics.empty();
  }
  bool empty() const { return plain.empty() && atomics.empty() && known.empty() && threadless.empty(); }
  // No data race can be none because of this code.
  bool hides_no_order() const { return plain.empty() && atomics.empty() && !empty(); }
  // "a.cpp in libx.so, liby.so and more", "atomic instructions, assembly or exempted functions at b.h:12":
  // without a verb.
  std::vector<std::string> names() const;
};

// Without the libraries at the paths `dormant`, which nobody has entered. What was found about a file is
// remembered.
UnseenCode unseen_code(const std::vector<MappedModule>& modules, const std::set<std::string>& dormant = {});

// "a.cpp in libx.so, liby.so and more are not instrumented".
std::string not_instrumented(const std::vector<std::string>& names);
// What to do about it.
std::string remedy_of(const UnseenCode& unseen);
// Why a data race may be none.
std::string unseen_order_reason(const UnseenCode& unseen);

} // namespace reex
