#include "reex/files/watch.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iterator>
#include <linux/seccomp.h>
#include <optional>
#include <poll.h>
#include <set>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include "reex/files/journal.h"
#include "reex/files/open_files.h"
#include "reex/files/turns.h"
#include "reex/shared/file_calls.h"

namespace reex {
namespace {

// SECCOMP_IOCTL_NOTIF_SET_FLAGS and SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP, which older headers lack.
constexpr unsigned long k_set_flags = _IOW('!', 4, __u64);
constexpr unsigned long k_wake_up_here = 1;
constexpr std::uint64_t k_room = std::uint64_t{64} << 20; // for copies of contents

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Where the kernel cannot read it either, the call fails: empty. Throws std::system_error if only this
// process cannot.
std::optional<std::string> read_path(pid_t process, std::uint64_t address) {
  std::string text;
  constexpr std::uint64_t k_page = 4096;
  while (text.size() < PATH_MAX) {
    char part[k_page];
    const iovec into{part, k_page - (address + text.size()) % k_page};
    const iovec from{reinterpret_cast<void*>(address + text.size()), into.iov_len};
    const ssize_t got = process_vm_readv(process, &into, 1, &from, 1, 0);
    if (got < 0 && errno != EFAULT && errno != ESRCH) fail("the test's memory cannot be read");
    if (got <= 0) return {};
    const char* const end = std::find(part, part + got, '\0');
    text.append(part, static_cast<std::size_t>(end - part));
    if (end != part + got) return text;
  }
  return {};
}

std::optional<sockaddr_un> read_local_address(pid_t process, std::uint64_t address, std::uint64_t size) {
  sockaddr_un name{};
  const iovec into{&name, std::min<std::size_t>(size, sizeof name - 1)};
  const iovec from{reinterpret_cast<void*>(address), into.iov_len};
  if (process_vm_readv(process, &into, 1, &from, 1, 0) <= 0 || name.sun_family != AF_UNIX ||
      name.sun_path[0] == 0)
    return {};
  return name;
}

// A descriptor that came through the socket; -1 if the other end was closed.
int receive_descriptor(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int received = -1;
  std::memcpy(&received, CMSG_DATA(header), sizeof received);
  return received;
}

} // namespace

class FileWatch::Server {
public:
  explicit Server(int group)
      : m_before(m_shelf, k_room), m_execution(m_shelf, k_room), m_stop(eventfd(0, EFD_CLOEXEC)) {
    int ends[2];
    if (!m_stop || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      fail("cannot make a socket for the test process");
    if (group >= 0) m_turns.emplace(group);
    m_socket = Descriptor(ends[0]);
    m_other = Descriptor(ends[1]);
  }

  void begin() {
    m_other.reset();
    // Signals are for the threads that know them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::thread([this] { serve(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void begin_end() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(*m_stop, &one, sizeof one);
    if (m_turns) m_turns->stop();
  }

  void end() {
    if (!m_thread.joinable()) return;
    begin_end();
    m_thread.join();
    for (const std::string& problem : {m_execution.problem(), m_open.problem()})
      if (m_problem.empty()) m_problem = problem;
  }

  int socket() const { return *m_other; }
  const std::string& problem() const { return m_problem; }

private:
  // What is answered: an error number or 0, or that the kernel shall make the call.
  using Answer = std::optional<int>;

  // Returns when all processes of the test have ended, or a moment after it was told to.
  void serve() {
    constexpr int k_patience = 1000; // milliseconds for processes that were killed
    pollfd asked[] = {{*m_stop, POLLIN, 0}, {*m_socket, POLLIN, 0}};
    while (poll(asked, 2, -1) < 0 && errno == EINTR) {
    }
    if (asked[1].revents != 0) m_listener = Descriptor(receive_descriptor(*m_socket));
    m_socket.reset();
    if (m_listener) {
      ioctl(*m_listener, k_set_flags, k_wake_up_here); // from Linux 6.6 on: the answer comes sooner
      asked[1] = {*m_listener, POLLIN, 0};
      while (poll(asked, 2, asked[0].fd < 0 ? k_patience : -1) != 0 && (asked[1].revents & POLLHUP) == 0) {
        if (asked[0].revents != 0) asked[0].fd = -1;
        if ((asked[1].revents & POLLIN) != 0) answer_call();
      }
      m_listener.reset();
    }
    put_back();
    m_before.undo();
    if (m_turns) m_turns->leave();
  }

  void answer_call() {
    seccomp_notif call{};
    if (ioctl(*m_listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
    Answer answer;
    try {
      answer = handle(static_cast<pid_t>(call.pid), call.data);
    } catch (const std::exception& error) { // also for want of memory
      if (m_problem.empty()) m_problem = error.what();
    }
    seccomp_notif_resp response{};
    response.id = call.id;
    if (answer)
      response.error = -*answer;
    else
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(*m_listener, SECCOMP_IOCTL_NOTIF_SEND, &response); // fails if the process was killed meanwhile
  }

  // A call is about to change files. Returns the journal for it.
  FileJournal& begin_change() {
    if (m_turns && !m_turns->begin_change() && m_problem.empty())
      m_problem = "the test changes files, and not in the first execution already, while several workers run";
    return m_begun ? m_execution : m_before;
  }

  void put_back() {
    if (!m_begun) return;
    m_execution.undo();
    m_open.put_back();
    for (const SavedFile& file : m_open.files()) m_execution.leave_out(id_of(file.status));
  }

  Answer handle_request(pid_t process, FileRequest request) {
    switch (request) {
    case FileRequest::start:
      if (m_turns) m_turns->await_start();
      return 0;
    case FileRequest::begin:
      if (m_begun) return 0;
      m_begun = true;
      m_open.remember(
          process, [this](const FileId& file) { return !m_inherited.contains(file); }, k_room);
      if (!m_open.files().empty()) begin_change();
      break;
    case FileRequest::put_back:
      if (m_turns) m_turns->first_execution_is_over();
      break;
    case FileRequest::wait:
      if (m_turns) m_turns->let_others_start();
      break;
    }
    put_back();
    if (m_turns) m_turns->end_changes();
    return 0;
  }

  Answer handle(pid_t process, const seccomp_data& data) {
    if (!m_knows_inherited) { // the test has opened none for writing yet
      m_knows_inherited = true;
      for (const FileId& file : open_files(process)) m_inherited.insert(file);
    }
    const std::vector<std::uint64_t> arguments(std::begin(data.args), std::end(data.args));
    const std::uint64_t* const a = arguments.data();
    const auto number = [&](unsigned i) { return static_cast<int>(a[i]); };
    const auto place = [&](int folder, unsigned path, bool follow) -> std::optional<FilePlace> {
      const std::optional<std::string> text = read_path(process, a[path]);
      return text ? place_of(process, folder, *text, follow) : std::nullopt;
    };
    const auto at = [&](unsigned folder, bool follow) { return place(number(folder), folder + 1, follow); };
    const auto here = [&](unsigned path, bool follow) { return place(AT_FDCWD, path, follow); };
    if (data.nr == SYS_unlinkat && number(0) == k_file_request)
      return handle_request(process, static_cast<FileRequest>(number(2)));
    if (!has_our_files(process)) {
      if (m_problem.empty() && m_begun)
        m_problem = "a process of the test has another root folder or user, and changes files";
      return {};
    }
    switch (data.nr) {
    case SYS_unlinkat:
      return remove(at(0, false), (number(2) & AT_REMOVEDIR) != 0);
    case SYS_unlink:
      return remove(here(0, false), false);
    case SYS_rmdir:
      return remove(here(0, false), true);
    case SYS_rename:
      return rename(here(0, false), here(1, false), 0);
    case SYS_renameat:
      return rename(at(0, false), at(2, false), 0);
    case SYS_renameat2:
      return rename(at(0, false), at(2, false), static_cast<unsigned>(a[4]));
    case SYS_open:
      return open(AT_FDCWD, 0, number(1), process, a);
    case SYS_openat:
      return open(number(0), 1, number(2), process, a);
    case SYS_openat2:
      return open_as_described(process, a);
    case SYS_creat:
      return open(AT_FDCWD, 0, O_CREAT | O_WRONLY | O_TRUNC, process, a);
    case SYS_truncate:
      return open(AT_FDCWD, 0, O_WRONLY, process, a);
    case SYS_mkdir:
    case SYS_mknod:
      return create(here(0, false), true);
    case SYS_mkdirat:
    case SYS_mknodat:
      return create(at(0, false), true);
    case SYS_symlink:
      return create(here(1, false), true);
    case SYS_symlinkat:
      return create(at(1, false), true);
    case SYS_link:
      return create(here(1, false), false);
    case SYS_linkat:
      return create(at(2, false), false);
    case SYS_bind:
      if (const auto name = read_local_address(process, a[1], a[2]))
        return create(place_of(process, AT_FDCWD, name->sun_path, false), true);
      return {};
    case SYS_chmod:
    case SYS_chown:
    case SYS_utime:
    case SYS_utimes:
      return change_status(here(0, true));
    case SYS_lchown:
      return change_status(here(0, false));
    case SYS_fchmod:
    case SYS_fchown:
      return change_status(place_of_descriptor(process, number(0)));
    case SYS_fchmodat:
      return change_status(at(0, true));
    case SYS_fchmodat2:
      return change_status_at(process, a, number(3));
    case SYS_fchownat:
      return change_status_at(process, a, number(4));
    case SYS_utimensat:
      return change_status_at(process, a, number(3));
    case SYS_futimesat:
      return change_status_at(process, a, 0);
    default:
      return {};
    }
  }

  Answer open(int folder, unsigned path, int flags, pid_t process, const std::uint64_t* a) {
    if ((flags & O_TMPFILE) == O_TMPFILE) return {}; // it has no name
    const std::optional<std::string> text = read_path(process, a[path]);
    if (!text) return {};
    const bool follow = (flags & O_NOFOLLOW) == 0 && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
    const auto place = place_of(process, folder, *text, follow);
    struct stat status {};
    if (!place || (lstat(place->path().c_str(), &status) == 0 && !S_ISREG(status.st_mode))) return {};
    begin_change().will_open(*place, (flags & O_CREAT) != 0);
    return {};
  }

  Answer open_as_described(pid_t process, const std::uint64_t* a) {
    std::uint64_t flags = 0; // the first member of open_how
    const iovec into{&flags, sizeof flags};
    const iovec from{reinterpret_cast<void*>(a[2]), sizeof flags};
    if (process_vm_readv(process, &into, 1, &from, 1, 0) != sizeof flags) return {};
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) == 0) return {};
    return open(static_cast<int>(a[0]), 1, static_cast<int>(flags), process, a);
  }

  Answer create(const std::optional<FilePlace>& place, bool new_file) {
    if (place) begin_change().will_create(*place, new_file);
    return {};
  }

  Answer change_status(const std::optional<FilePlace>& place) {
    if (place) begin_change().will_change_status(*place);
    return {};
  }

  // Without a path, or with an empty one, the descriptor itself is meant.
  Answer change_status_at(pid_t process, const std::uint64_t* a, int flags) {
    const std::optional<std::string> text = a[1] != 0 ? read_path(process, a[1]) : "";
    if (!text) return {};
    const int descriptor = static_cast<int>(a[0]);
    return change_status(text->empty()
                             ? place_of_descriptor(process, descriptor)
                             : place_of(process, descriptor, *text, (flags & AT_SYMLINK_NOFOLLOW) == 0));
  }

  Answer remove(const std::optional<FilePlace>& place, bool folder) {
    return place ? begin_change().remove(*place, folder) : std::nullopt;
  }

  Answer rename(const std::optional<FilePlace>& from, const std::optional<FilePlace>& to, unsigned flags) {
    return from && to ? begin_change().rename(*from, *to, flags) : std::nullopt;
  }

  FileShelf m_shelf;
  FileJournal m_before;    // the first thread
  FileJournal m_execution; // what was done since
  OpenFiles m_open;
  std::set<FileId> m_inherited;
  bool m_knows_inherited = false;
  bool m_begun = false;
  Descriptor m_stop;
  Descriptor m_socket;
  Descriptor m_other;
  Descriptor m_listener;
  std::thread m_thread;
  std::string m_problem;
  std::optional<FileTurns> m_turns; // of several workers
};

FileWatch::FileWatch(int group) : m_server(std::make_unique<Server>(group)) {}
FileWatch::~FileWatch() { m_server->end(); }
int FileWatch::socket() const { return m_server->socket(); }
void FileWatch::begin() { m_server->begin(); }
void FileWatch::begin_end() { m_server->begin_end(); }
void FileWatch::end() { m_server->end(); }
const std::string& FileWatch::problem() const { return m_server->problem(); }

} // namespace reex
