// Does work in a process of its own, so that a fault in it, as a crash of libclang, does not end this one.
//
// Callers: parse_units(), on any thread.
//
// Cost: a fork and its end, a few milliseconds; the work is done on one core, while the caller waits.
//
// Errors: std::system_error if there is no process or no memory for the result.
#pragma once

#include <functional>
#include <string>

namespace reex::impact {

struct ApartResult {
  std::string bytes;   // what the work has returned
  std::string problem; // "" if it has returned, else how it ended: "signal 11 (Segmentation fault)"
};

// The work sees all memory as it is now, and changes nothing here. It may use no lock that another thread of
// this process can hold now.
ApartResult apart(const std::function<std::string()>& work);

} // namespace reex::impact
