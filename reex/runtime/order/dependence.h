// Tells the search which threads depend on each other, so that it can leave out orders of threads that have
// nothing to do with each other (search/apart.h). It sees what the fingerprint sees.
//
// Callers: the histories of threads (histories.h), of the execution under way and of what is followed in
// memory; depend_on_all, the running fiber where an execution depends on more than on objects.
//
// Invariants: a use that is ordered before another one by the creation or the join of threads makes nobody
// depend: in no execution can the two come in another order.
//
// Cost: a few instructions for each use.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/search/apart.h"

namespace reex {

// Who has used an object in this execution. All zero at first.
struct Users {
  std::uint64_t threads = 0; // by number
  std::uint32_t born = 0;    // threads that had been created at the last use
  bool written = false;
};

// What is known about the threads of an execution. Threads are named by number.
class Dependence {
public:
  void begin(); // a new execution
  // The thread uses the object.
  void use(std::uint32_t self, Users& users, bool writes);
  void on(std::uint32_t self, std::uint32_t other);
  static void on_all();
  void created(std::uint32_t self, std::uint32_t child);
  void joined(std::uint32_t self, std::uint32_t ended);

private:
  struct Kinship {
    std::uint64_t before = 0; // threads whose operations so far were all before its first one
    std::uint64_t ended = 0;  // threads that it knows to have ended, by joins
    std::uint32_t born = 0;   // threads that were created before it, with main
  };

  void is_master(std::uint32_t self);

  Kinship m_kinship[k_apart_threads]; // by number
  std::uint64_t m_masters = 0;        // threads that have created or joined others
  std::uint32_t m_born = 0;           // threads created so far, with main
};

void depend_on_all(); // of the running fiber
// By number, of the first k_apart_threads: the threads that each one waits for in a join.
const std::uint64_t* joins();

} // namespace reex
