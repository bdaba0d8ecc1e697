// Libraries that are loaded under control: with dlopen, or by the C library for itself. What the parent knows
// of the test's code (symbols, match bits, what is not instrumented) must be known of theirs, too, before one
// of their threads is scheduled.
#pragma once

namespace reex {

// Code may come before the next visible operation. The running fiber, on its way to the loader, or in an
// initializer of the library.
void code_comes();
// Code that was there was entered (dormant_code.h). In a signal handler, inside of the test's code.
void code_was_entered();
extern bool g_code_comes;

// Fills the tables of modules.h anew, and tells the parent about code that it does not know: it reads this
// process' memory map meanwhile. The running fiber before it states an operation, and the controller at the
// end of an execution. Cost: a walk over the modules; the first time for new code, some milliseconds.
void take_in_code();

// In the zygote: tells the parent what is loaded at first, and waits until it knows it.
void tell_first_code();

} // namespace reex
