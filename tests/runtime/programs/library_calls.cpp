// Calls functions of libc on a text while another thread writes one byte of it. Arguments: the function, and
// the number of the byte. It is compiled so that nothing is inlined.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

alignas(int) char g_text[16] = "abc";
char g_other[16] = "abd";
char g_place[16];
volatile long g_result;
int g_full[2]; // a pipe with two bytes
int g_ends[2]; // sockets; two bytes are on their way to the second

void give_back(char* copy) {
  g_result = copy[0];
  std::free(copy);
}

struct Call {
  const char* name;
  void (*make)();
};

constexpr Call k_calls[] = {
    {"memcpy", [] { std::memcpy(g_place, g_text, 8); }},
    {"memcpy_to", [] { std::memcpy(g_text, g_place, 8); }},
    {"memmove", [] { std::memmove(g_place, g_text, 8); }},
    {"mempcpy", [] { mempcpy(g_text, g_place, 8); }},
    {"memset", [] { std::memset(g_text, 0, 8); }},
    {"memcmp", [] { g_result = std::memcmp(g_text, g_other, 8); }},
    {"bcmp", [] { g_result = bcmp(g_text, g_other, 8); }},
    {"memchr", [] { g_result = std::memchr(g_text, 'b', 8) != nullptr; }},
    {"strlen", [] { g_result = static_cast<long>(std::strlen(g_text)); }},
    {"strnlen", [] { g_result = static_cast<long>(strnlen(g_text, 2)); }},
    {"strcmp", [] { g_result = std::strcmp(g_text, g_other); }},
    {"strncmp", [] { g_result = std::strncmp(g_text, g_other, 2); }},
    {"strchr", [] { g_result = std::strchr(g_text, 'b') != nullptr; }},
    {"strrchr", [] { g_result = std::strrchr(g_text, 'b') != nullptr; }},
    {"strstr", [] { g_result = std::strstr(g_text, "bc") != nullptr; }},
    {"strcpy", [] { std::strcpy(g_place, g_text); }},
    {"strcpy_to", [] { std::strcpy(g_text, g_other); }},
    {"stpcpy", [] { stpcpy(g_text, g_other); }},
    {"strncpy", [] { std::strncpy(g_text, g_other, 6); }},
    {"strcat", [] { std::strcat(g_text, g_other); }},
    {"strncat", [] { std::strncat(g_text, g_other, 1); }},
    {"strdup", [] { give_back(strdup(g_text)); }},
    {"strndup", [] { give_back(strndup(g_text, 2)); }},
    {"puts", [] { g_result = std::puts(g_text); }},
    {"fputs", [] { g_result = std::fputs(g_text, stdout); }},
    {"fwrite", [] { g_result = static_cast<long>(std::fwrite(g_text, 1, 2, stdout)); }},
    {"write", [] { g_result = write(1, g_text, 2); }},
    {"read", [] { g_result = read(g_full[0], g_text, 8); }},
    {"send", [] { g_result = send(g_ends[0], g_text, 2, 0); }},
    {"recv", [] { g_result = recv(g_ends[1], g_text, 8, 0); }},
    {"pipe", [] { g_result = pipe(reinterpret_cast<int*>(g_text)); }},
    {"pipe2", [] { g_result = pipe2(reinterpret_cast<int*>(g_text), O_CLOEXEC); }},
    {"socketpair", [] { g_result = socketpair(AF_UNIX, SOCK_STREAM, 0, reinterpret_cast<int*>(g_text)); }},
};

} // namespace

int main(int count, char** arguments) {
  if (count < 3) return 99;
  if (pipe(g_full) != 0 || write(g_full[1], "xy", 2) != 2) return 99;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, g_ends) != 0 || send(g_ends[0], "xy", 2, 0) != 2) return 99;
  for (const Call& call : k_calls) {
    if (std::strcmp(call.name, arguments[1]) != 0) continue;
    volatile char* const place = g_text + std::atoi(arguments[2]);
    std::thread one(call.make), two([place] { *place = *place; });
    one.join();
    two.join();
    return 0;
  }
  return 99;
}
