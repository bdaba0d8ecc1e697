// What a function with a row in the table library_objects.def does to objects of the test. Most of these
// functions are exported here. Those that are also in the table hidden_state.def are exported there, and tell
// of their calls by this interface.
//
// Callers: the running fiber. `arguments` and `frame` are those of trampoline.h, `pc` is the return address.
#pragma once

#include <cstdint>

namespace reex {

struct ChangingCall;

// Null: there is no such row.
const ChangingCall* changing_call(const char* name);

// The scheduling points of the objects; then, before the function, what it reads. True: it has to come back.
void reach_objects(const ChangingCall& call, const std::uint64_t* arguments, const std::uint64_t* frame,
                   void* pc);
bool read_objects(const ChangingCall& call, std::uint64_t* arguments, const std::uint64_t* frame, void* pc);

// Behind the function: what it has written.
void write_objects(const ChangingCall& call, std::uint64_t* arguments, const std::uint64_t* frame, void* pc);

} // namespace reex
