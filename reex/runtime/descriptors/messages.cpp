#include "reex/runtime/descriptors/messages.h"

#include <cstring>
#include <sys/socket.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/kept/inside.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/untouched.h"
#include "reex/runtime/environment/process_id.h"

namespace reex {
namespace {

bool has_many(long number) { return number == SYS_sendmmsg || number == SYS_recvmmsg; }
bool receives(long number) { return number == SYS_recvmsg || number == SYS_recvmmsg; }

// Calls `visit` with the header of each of the first `count` messages.
template <typename Visit>
void each_message(const SystemCall& call, long count, Visit visit) {
  constexpr long k_most = 1024; // the kernel takes no more
  if (call.argument[1] == 0) return;
  if (!has_many(call.number)) return visit(*reinterpret_cast<msghdr*>(call.argument[1]));
  auto* messages = reinterpret_cast<mmsghdr*>(call.argument[1]);
  for (long i = 0; i < count && i < k_most; ++i) visit(messages[i].msg_hdr);
}

template <typename Visit>
void each_part(msghdr& message, Visit visit) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_len < sizeof *part) return;
    visit(*part, part->cmsg_len - CMSG_LEN(0));
  }
}

bool is(const cmsghdr& part, int type) { return part.cmsg_level == SOL_SOCKET && part.cmsg_type == type; }

template <typename Visit>
void each_descriptor(cmsghdr& part, std::size_t size, Visit visit) {
  if (!is(part, SCM_RIGHTS)) return;
  for (std::size_t at = 0; at + sizeof(int) <= size; at += sizeof(int)) {
    int descriptor = -1;
    memcpy(&descriptor, CMSG_DATA(&part) + at, sizeof descriptor);
    visit(descriptor);
  }
}

void replace_process(cmsghdr& part, std::size_t size, pid_t from, pid_t to) {
  pid_t process = 0; // the first member of ucred
  if (!is(part, SCM_CREDENTIALS) || size < sizeof process) return;
  memcpy(&process, CMSG_DATA(&part), sizeof process);
  if (process == from) memcpy(CMSG_DATA(&part), &to, sizeof to);
}

void replace_processes(const SystemCall& call, long count, pid_t from, pid_t to) {
  if (from == to) return;
  each_message(call, count, [&](msghdr& message) {
    each_part(message, [&](cmsghdr& part, std::size_t size) { replace_process(part, size, from, to); });
  });
}

template <typename Visit>
void each_carried(const SystemCall& call, long count, Visit visit) {
  each_message(call, count, [&](msghdr& message) {
    each_part(message, [&](cmsghdr& part, std::size_t size) { each_descriptor(part, size, visit); });
  });
}

// Those that arrive were kept when they were sent.
void keep_carried(const SystemCall& call, long count) {
  each_carried(call, count, [&](int descriptor) {
    if (g.in_place && !keep_copy(descriptor)) leave_restoring(call.number);
    note_made(call, descriptor);
  });
}

long all_messages(const SystemCall& call) {
  return has_many(call.number) ? static_cast<unsigned>(call.argument[2]) : 1;
}

} // namespace

bool is_kept_inside(const SystemCall& call) {
  const int socket = static_cast<int>(call.argument[0]);
  bool inside = call.argument[1] != 0;
  each_message(call, all_messages(call), [&](const msghdr& message) {
    inside =
        inside && (message.msg_name == nullptr ||
                   leads_inside(socket, static_cast<const sockaddr*>(message.msg_name), message.msg_namelen));
  });
  each_carried(call, all_messages(call),
               [&](int descriptor) { inside = inside && is_kept_copy(descriptor); });
  return inside;
}

long transfer(const SystemCall& call) {
  if (call.number != SYS_sendmsg && call.number != SYS_sendmmsg && !receives(call.number))
    return make_kept(call);
  const auto worker = static_cast<pid_t>(raw_syscall(SYS_getpid));
  if (receives(call.number)) {
    const long answer = make_kept(call);
    const long count = has_many(call.number) ? answer : answer >= 0 ? 1 : 0;
    if (count <= 0) return answer;
    keep_carried(call, count);
    replace_processes(call, count, worker, process_id());
    return answer;
  }
  each_carried(call, all_messages(call), [](int descriptor) { touch(descriptor); });
  replace_processes(call, all_messages(call), process_id(), worker);
  const long answer = make_kept(call);
  replace_processes(call, all_messages(call), worker, process_id());
  return answer;
}

} // namespace reex
