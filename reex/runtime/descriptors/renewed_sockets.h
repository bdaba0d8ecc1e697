// Sockets of before the first thread, made anew for each worker (descriptors.h).
#pragma once

#include "reex/runtime/descriptors/open_descriptors.h"

namespace reex {

// Of a socket that socketpair did not make. A connected one counts as a pair until its other end is looked
// for.
DescriptorKind kind_of_socket(int number);
bool is_local_socket(int number);       // AF_UNIX, connected by this process to itself
bool are_connected(int one, int other); // over the internet's protocols: each has the other's address

long open_anew(int number); // the same kind of socket, with its options
bool connect_anew(int number, int* ends);
void copy_options(int from, int to);
// Connections that nobody accepted and messages that nobody received.
void empty_socket(int number);

} // namespace reex
