#include "reex/runtime/descriptors/kept/inside.h"

#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/descriptors/socket_address.h"

namespace reex {
namespace {

// What is looked for among the channels, and whether it was found.
Address g_target;
int g_type;
bool g_reached; // not a socket that does not listen yet
bool g_found;

// Not the address of another machine.
bool is_of_this_machine(const Address& address) {
  if (address.storage.ss_family == AF_INET) {
    const auto& host = reinterpret_cast<const sockaddr_in&>(address.storage).sin_addr;
    return host.s_addr == INADDR_ANY || ntohl(host.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  const auto& host = reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_addr;
  return IN6_IS_ADDR_UNSPECIFIED(&host) || IN6_IS_ADDR_LOOPBACK(&host);
}

bool is_same_name(const Address& a, const Address& b) {
  const auto* one = reinterpret_cast<const sockaddr_un*>(&a.storage)->sun_path;
  const auto* other = reinterpret_cast<const sockaddr_un*>(&b.storage)->sun_path;
  const std::size_t length = a.size - offsetof(sockaddr_un, sun_path);
  if (*one != 0) return strncmp(one, other, sizeof sockaddr_un::sun_path) == 0;
  return length > 0 && a.size == b.size && memcmp(one, other, length) == 0;
}

void look_at(int number) {
  Address bound;
  if (g_found || option_of(number, SOL_SOCKET, SO_TYPE) != g_type ||
      (g_reached && g_type != SOCK_DGRAM && option_of(number, SOL_SOCKET, SO_ACCEPTCONN) != 1) ||
      !bound.read(number, SYS_getsockname))
    return;
  if (g_target.is_internet())
    g_found = bound.is_internet() && may_be_one(bound, g_target) &&
              (is_of_this_machine(g_target) || bound.is_host(g_target));
  else
    g_found = bound.storage.ss_family == AF_UNIX && g_target.storage.ss_family == AF_UNIX &&
              is_same_name(bound, g_target);
  if (g_found && g.in_place)
    is_kept_channel(number); // what comes to one from before the first thread is taken back
}

bool take_target(const sockaddr* address, socklen_t size) {
  if (address == nullptr || size < sizeof(sa_family_t) || size > sizeof g_target.storage) return false;
  g_target = {};
  memcpy(&g_target.storage, address, size);
  g_target.size = size;
  return true;
}

bool is_found(int socket, const sockaddr* address, socklen_t size, bool reached) {
  if (!take_target(address, size)) return false;
  if (address->sa_family == AF_UNSPEC) return true;
  g_type = option_of(socket, SOL_SOCKET, SO_TYPE);
  if (g_type < 0) return true; // no socket
  g_reached = reached;
  g_found = false;
  if (g.in_place)
    each_kept_channel(look_at);
  else
    each_open_descriptor(look_at);
  return g_found;
}

} // namespace

bool may_be_tried(int socket, const sockaddr* address, socklen_t size) {
  return take_target(address, size) && option_of(socket, SOL_SOCKET, SO_TYPE) != SOCK_DGRAM &&
         (g_target.is_internet() ? is_of_this_machine(g_target) : g_target.storage.ss_family == AF_UNIX);
}

bool leads_inside(int socket, const sockaddr* address, socklen_t size) {
  return is_found(socket, address, size, true);
}

bool is_name_inside(int socket, const sockaddr* address, socklen_t size) {
  return is_found(socket, address, size, false);
}

} // namespace reex
