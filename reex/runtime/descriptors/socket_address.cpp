#include "reex/runtime/descriptors/socket_address.h"

#include <cstring>

#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

// What is looked for among the descriptors, and whether it was found.
int g_number;
const sockaddr* g_address;
bool g_taken;

const sockaddr* of(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.storage); }

bool is_any(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == INADDR_ANY;
  return memcmp(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, &in6addr_any,
                sizeof in6addr_any) == 0;
}

bool is_equal_host(const sockaddr* a, const sockaddr* b) {
  if (a->sa_family != b->sa_family) return false;
  if (a->sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in*>(b)->sin_addr.s_addr;
  return memcmp(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
                &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr, sizeof(in6_addr)) == 0;
}

bool same_host(const sockaddr* a, const sockaddr* b) { return is_any(a) || is_any(b) || is_equal_host(a, b); }

std::uint16_t port_of(const sockaddr* address) {
  return reinterpret_cast<const sockaddr_in*>(address)->sin_port; // in both families
}

void look_at(int number) {
  Address bound;
  if (number == g_number || option_of(number, SOL_SOCKET, SO_TYPE) != SOCK_STREAM ||
      !bound.read(number, SYS_getsockname))
    return;
  const sockaddr* at = of(bound);
  if (at->sa_family == g_address->sa_family && port_of(at) == port_of(g_address) && same_host(at, g_address))
    g_taken = true;
}

} // namespace

bool Address::read(int number, long call) {
  size = sizeof storage;
  return reex_kept_call(call, number, as_long(&storage), as_long(&size)) == 0;
}

bool Address::is_host(const Address& other) const { return is_equal_host(of(*this), of(other)); }

bool may_be_one(const Address& a, const Address& b) {
  return port_of(of(a)) == port_of(of(b)) && same_host(of(a), of(b));
}

int option_of(int number, int level, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return reex_kept_call(SYS_getsockopt, number, level, option, as_long(&value), as_long(&size)) == 0 ? value
                                                                                                     : -1;
}

bool free_address(int number, const sockaddr* address) {
  const bool internet = address->sa_family == AF_INET || address->sa_family == AF_INET6;
  if (!internet || option_of(number, SOL_SOCKET, SO_TYPE) != SOCK_STREAM) return true;
  const bool shares = option_of(number, SOL_SOCKET, SO_REUSEADDR) == 1;
  g_number = number;
  g_address = address;
  g_taken = false;
  if (!shares && port_of(address) != 0) each_open_descriptor(look_at);
  if (g_taken) return false;
  const int on = 1;
  reex_kept_call(SYS_setsockopt, number, SOL_SOCKET, SO_REUSEADDR, as_long(&on), sizeof on);
  return true;
}

} // namespace reex
