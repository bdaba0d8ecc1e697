// Where an address leads, for a worker that restores: what goes to another process cannot be taken back.
//
// Callers: the running fiber.
//
// Cost: up to three system calls for each channel of the process.
#pragma once

#include <sys/socket.h>

namespace reex {

// Whether a connection of the socket to this address, or a message of it, reaches a socket of this process.
// The address that ends a connection (AF_UNSPEC) reaches nobody, and counts, too.
bool leads_inside(int socket, const sockaddr* address, socklen_t size);
// Whether a socket of this process has the address, though nobody may be reached there yet.
bool is_name_inside(int socket, const sockaddr* address, socklen_t size);
// Whether the attempt to connect a socket to this address, on this machine, has no effect but by succeeding.
bool may_be_tried(int socket, const sockaddr* address, socklen_t size);

} // namespace reex
