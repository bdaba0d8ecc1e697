// Common code of the programs about pipes, sockets and child processes.
#pragma once

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

inline void check(bool fine, const char* what) {
  if (fine) return;
  std::printf("%s failed\n", what);
  std::fflush(stdout);
  _exit(9);
}

struct Pipe {
  int ends[2];
  explicit Pipe(int flags = 0) { check(pipe2(ends, flags) == 0, "pipe2"); }
  int in() const { return ends[1]; }
  int out() const { return ends[0]; }
};

struct Pair {
  int ends[2];
  explicit Pair(int type = SOCK_STREAM) { check(socketpair(AF_UNIX, type, 0, ends) == 0, "socketpair"); }
};

// A message of one byte with room for control data: two descriptors or credentials.
class Message {
public:
  explicit Message(char byte = 0) : m_byte(byte) {
    m_header.msg_iov = &m_part;
    m_header.msg_iovlen = 1;
    m_header.msg_control = m_control;
    m_header.msg_controllen = sizeof m_control;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  template <typename Data>
  void carry(int type, const Data& data) {
    m_header.msg_controllen = CMSG_SPACE(sizeof data);
    cmsghdr* const part = CMSG_FIRSTHDR(&m_header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = type;
    part->cmsg_len = CMSG_LEN(sizeof data);
    std::memcpy(CMSG_DATA(part), &data, sizeof data);
  }
  template <typename Data>
  bool carries(int type, Data& data) {
    cmsghdr* const part = CMSG_FIRSTHDR(&m_header);
    if (part == nullptr || part->cmsg_type != type || part->cmsg_len != CMSG_LEN(sizeof data)) return false;
    std::memcpy(&data, CMSG_DATA(part), sizeof data);
    return true;
  }
  void carry_nothing() {
    m_header.msg_control = nullptr;
    m_header.msg_controllen = 0;
  }
  msghdr* header() { return &m_header; }
  char byte() const { return m_byte; }

private:
  char m_byte;
  iovec m_part{&m_byte, 1};
  alignas(cmsghdr) char m_control[CMSG_SPACE(sizeof(ucred))];
  msghdr m_header{};
};

// Sleeps in real time.
inline void sleep_really(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000};
  syscall(SYS_nanosleep, &time, nullptr);
}

inline void put(int descriptor, const char* text) {
  check(write(descriptor, text, std::strlen(text)) == static_cast<ssize_t>(std::strlen(text)), "write");
}

// Reads one byte; 0 at the end.
inline char take(int descriptor) {
  char byte = 0;
  const ssize_t got = read(descriptor, &byte, 1);
  check(got >= 0, "read");
  return got == 0 ? '\0' : byte;
}

inline std::string take_all(int descriptor) {
  std::string all;
  while (const char byte = take(descriptor)) all += byte;
  return all;
}
