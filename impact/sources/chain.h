// Why a code point is impacted: the steps from it back to what the change did. The first step says how the
// point follows from a place, the next one why this place counts, and the last one what changed there.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace reex {

struct Cause {
  // The reasons that end a chain: "changed", "moved", "deleted here" (a neighbour of a deleted line),
  // "removed" (an old line), "deleted access", "uses another declaration", "has another type". The others:
  // "lock region", "same statement", "accessed", "called", "declared", "uses a changed macro", "uses a
  // changed declaration", "used a removed declaration", "follows" (follow.h).
  std::string reason;
  // Of a lock region the mutex, as it is spelled; of a moved line the method in which it was; of a call the
  // function; of a use the macro or the declaration; otherwise "".
  std::string name;
  // What changed, the access, the call, the declaration, the definition of the macro, or the line on which
  // the lock of a region is acquired. The path is like that of a CodePoint.
  std::string file;
  unsigned line = 0;
  bool old = false; // the place is on the old side of the change

  auto operator<=>(const Cause&) const = default;
};

using Chain = std::vector<Cause>; // never empty

using ChainedLines = std::map<std::string, std::map<unsigned, Chain>>; // file -> line -> why it counts

// The chain with one more step before it.
inline Chain behind(Cause first, const Chain& rest) {
  Chain chain{std::move(first)};
  chain.insert(chain.end(), rest.begin(), rest.end());
  return chain;
}

} // namespace reex
