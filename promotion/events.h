// From the switches of an execution to a schedule: which events stand where, and which orderings they are in.
//
// For a switch from A, which is about to do x, to B, whose next operation is y, the ordering says that A has
// come to x before B does y. Its condition is one of:
//
//   at_x       an event before the statement of x
//   did_w      an event behind the statement of w, the last operation of A
//   [at_x]     if A could not execute x
//
// and its event go_y stands before the statement of y. Each has several places, from the statement of the
// operation outwards, call by call.
//
// In the external form the sources stay as they are: the events stand at operations of functions, and reex
// finds them (REEX_EVENT_AT).
//
// Callers: the command, in the parent process. Nothing here runs or writes anything.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "promotion/insertions.h"
#include "promotion/switches.h"

namespace reex::promotion {

// A source file that may be edited.
struct Source {
  std::string text;
  impact::SourceShape shape;
};
// By path. Only files that may be edited are there.
using Sources = std::map<std::string, Source>;

// One way to name a moment of the execution.
struct Moment {
  Insertion event;      // code: REEX_EVENT(name), or REEX_EVENT_AT(name, operation), which has no place
  std::string word;     // in the schedule: "at_pop@second#2"
  bool blocked = false; // "[word]"
  int thread = 0;
  unsigned depth = 0; // frames outside of it: 0 is the outermost
};

struct Constraint {
  std::vector<Moment> before; // what may stand for the first half, the innermost first
  std::vector<Moment> after;  // for the second
  bool joins = false;         // one of the two joins a thread there, which is an order by itself
  std::string words;          // the switch, for people: "T1 before Queue.h:12, then T2"
};

// A name that the thread's creator gives it.
struct Naming {
  int thread = 0;
  Insertion code; // REEX_CREATES("seller#");
  std::string name;
};

struct Plan {
  std::vector<Constraint> constraints;
  std::vector<Naming> namings;       // of all threads that could have one
  std::vector<std::string> left_out; // switches that no places express, with the reason
};

Plan make_plan(const Failure& failure, const Sources& sources);
Plan make_external_plan(const Failure& failure);

// Which moments of a plan are used: for each constraint, or nothing if it is left out.
struct Choice {
  std::size_t before = 0;
  std::size_t after = 0;
  bool operator==(const Choice&) const = default;
};
using Selection = std::vector<std::optional<Choice>>;

std::string schedule_text(const Plan& plan, const Selection& selection);
// All that the plan could need, or what the selection does. If a word has a thread, all threads get their
// names.
std::vector<Insertion> all_insertions(const Plan& plan);
std::vector<Insertion> insertions_of(const Plan& plan, const Selection& selection);
// The statements that declare events at operations; they come before the schedule.
std::vector<std::string> all_declarations(const Plan& plan);
std::vector<std::string> declarations_of(const Plan& plan, const Selection& selection);

} // namespace reex::promotion
