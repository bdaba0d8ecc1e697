// Opens anew, in each worker, sockets from before the first thread (descriptors.h).
#pragma once

#include "reex/runtime/descriptors/kept/open_descriptors.h"

namespace reex {

// The kind of a socket that socketpair did not make. A connected socket counts as a pair until its other end
// is looked for.
DescriptorKind kind_of_socket(int number);
bool is_local_socket(int number);       // AF_UNIX, and this process connected it to itself
bool are_connected(int one, int other); // internet addresses only: each socket has the other's address

// Whether the connection of TCP leads to this listening socket.
bool is_connected_to(int number, int listener);
bool has_sent(int number); // whether the other end has been sent data

long open_anew(int number); // a socket of the same kind, with the same options
bool connect_anew(int number, int* ends);
BoundSocket other_end(int number); // the address to which a socket of the internet is connected
long connect_to(int number, const BoundSocket& other); // a socket with the same options; -errno
void copy_options(int from, int to);
bool have_equal_options(int one, int other); // those that copy_options copies
// Drops the connections that nobody accepted, and the messages that nobody received.
void empty_socket(int number);
// A bound socket of a stream stays the zygote's, since nobody else could have its address. So what an
// execution does to it (shutdown, listen, connect) is undone before the next one.
BoundSocket bound_socket(int number); // in the zygote
// It does not listen any more, and connections that nobody has accepted are reset.
void let_go(int number);
// False if it cannot be done: a local socket stays shut down for good.
bool put_back(int number, const BoundSocket& bound);

} // namespace reex
