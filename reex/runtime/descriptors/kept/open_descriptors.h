// What the zygote records about an open descriptor (descriptors.h), and how it asks the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fcntl.h>

namespace reex {

enum class DescriptorKind : std::uint8_t {
  left_alone,
  file,
  pipe,
  event,
  epoll,
  watcher,          // of files, by inotify: shared, and emptied before each execution
  socket_pair,      // both ends of a connection inside the process
  socket_waiting,   // connected to a listening socket of the process, which has not accepted it yet
  socket_listening, // or bound, and may listen: shared, and put back before each execution
  socket_free,      // neither bound nor connected
  socket_datagram,  // bound: shared, and emptied before each execution
};

// The bytes or messages that were in a pipe or socket.
struct Contents {
  struct Message {
    Message* next;
    std::size_t size;
    char* data() { return reinterpret_cast<char*>(this + 1); }
    const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  };
  Message* first = nullptr;
  bool ended = false; // the end follows them
};

// What a bound socket of a stream is: an execution may shut it down, or let it listen.
struct BoundSocket {
  alignas(8) unsigned char address[28] = {}; // of the internet; size is 0 for any other
  unsigned size = 0;
  bool listening = false;
  int backlog = 0;
};

struct OpenDescriptor {
  int number = -1;
  DescriptorKind kind = DescriptorKind::left_alone;
  int flags = 0; // O_* flags of the open file
  bool close_on_exec = false;
  std::uint64_t inode = 0;
  std::uint64_t object = 0; // equal for all descriptors of one object
  std::uint64_t peer = 0;   // inode of the other end
  bool in_place = false;    // a restore puts it back
  bool has_options = true;  // of a socket_pair: others than a new one
  int original = -1;        // of a socket, in a worker that restores: the zygote's, under another number
  std::int64_t offset = 0;  // of a file
  std::int64_t length = 0;
  std::uint64_t count = 0; // of an eventfd; of a watcher, the number of its last watch
  unsigned watches = 0;    // of a watcher
  bool semaphore = false;
  int capacity = 0; // of a pipe
  Contents contents;
  BoundSocket bound; // socket_listening; of socket_waiting, the address to which it is connected
};

// An entry of an epoll instance's interest list.
struct Watch {
  int epoll;
  int target;
  std::uint32_t events;
  std::uint64_t data;
};

// Calls `visit` for each open descriptor.
void each_open_descriptor(void (*visit)(int number));
// The number behind `key` in /proc/self/fdinfo of the descriptor; `otherwise` if there is none.
std::uint64_t told_of(int number, const char* key, int base, std::uint64_t otherwise);
// A sum of what the kernel keeps of all of them but the output: positions, lengths, counts. Not what is
// in a pipe or socket.
std::uint64_t descriptors_sum();
// Calls `visit` for each descriptor that an epoll instance watches.
void each_watch(int epoll, void (*visit)(const Watch& watch));
// Calls `visit` for each watch of files that a descriptor of inotify has.
void each_file_watch(int inotify, void (*visit)(int inotify, std::uint64_t watch));
// Calls `visit` for each lock that this process has on the descriptor's file (F_SETLK, lockf).
void each_record_lock(int number, void (*visit)(int number, const struct flock& lock));
bool is_anonymous(int number, const char* name); // /proc/self/fd/NUMBER links to anon_inode:NAME

// Reads all that the descriptor holds.
Contents take_contents(int number, bool socket);
void put_contents(int number, const Contents& contents, bool socket);

} // namespace reex
