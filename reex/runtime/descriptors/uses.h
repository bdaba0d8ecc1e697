// Uses of descriptors, for races: two threads, one of which closes the number that the other one uses, and
// nothing orders them. A use counts as an atomic read of the number, and closing it as a plain write.
//
// Callers: the running fiber, when its call is about to be made. `pc` is the return address of the call.
// Calls of code that is neither instrumented nor a library of the language do not count.
//
// Invariants: the records lie in the shadow memory of addresses below all others
// (shared/descriptor_objects.h). They are forgotten where the number stands for something else than before:
// after a close that was seen, or where the kernel tells of another file, because not every function that
// opens or closes a descriptor is known here.
//
// Cost: one system call for each call on a descriptor.
#pragma once

namespace reex {

void use_descriptor(int descriptor, const void* pc);
void close_descriptor(int descriptor, const void* pc);
// dup2 puts another object behind the number. It counts as a use, as in ThreadSanitizer: this is how servers
// replace their standard streams, and how a socket is shut off while others still read it.
void replace_descriptor(int descriptor, const void* pc);
// Code that is not watched closes it.
void forget_descriptor(int descriptor);

} // namespace reex
