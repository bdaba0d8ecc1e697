// The text of the promoted test: a copy of the case under its schedule.
//
// Callers: the command, in the parent process. Nothing here reads or writes files.
//
// Errors: std::invalid_argument, one line that says what to do.
#pragma once

#include <string>
#include <vector>

#include "promotion/expect.h"
#include "promotion/insertions.h"
#include "reex/frameworks/framework.h"

namespace reex::promotion {

// The case in its file: "TEST(Suite, Name)" or "int main()" begins at `begin`.
struct CaseRange {
  std::size_t begin = 0;
  std::size_t body = 0; // its opening brace
  std::size_t end = 0;
};

// Throws if there is none, or if it is one that cannot be copied.
CaseRange find_case(const std::string& text, const impact::SourceShape& shape, Framework framework,
                    const std::string& test_name);

struct CaseRequest {
  Framework framework = Framework::none;
  std::string test_name;
  std::string new_name; // "": made of the test's name
  std::string schedule;
  std::vector<std::string> declarations; // before the schedule
  Expect expect = Expect::fails;
  std::string remark; // a line above the case, without the slashes
};

// What the new case is called: "Suite.NameUnderSchedule".
std::string new_name_of(const CaseRequest& request);

// The file with a copy of the case behind the case. Insertions in the case are made in the copy alone.
std::string beside(const std::string& text, const std::string& file, const CaseRange& range,
                   const std::vector<Insertion>& insertions, const CaseRequest& request);

// A file of its own: the whole file without other cases.
std::string alone(const std::string& text, const std::string& file, const impact::SourceShape& shape,
                  const CaseRange& range, const std::vector<Insertion>& insertions,
                  const CaseRequest& request);

// The file with all insertions, whose case takes its schedule from the environment (k_schedule_variable);
// none is in force if that is not set.
std::string probe(const std::string& text, const std::string& file, const CaseRange& range,
                  const std::vector<Insertion>& insertions, const std::vector<std::string>& declarations);
inline constexpr const char* k_schedule_variable = "REEX_PROMOTED_SCHEDULE";

} // namespace reex::promotion
