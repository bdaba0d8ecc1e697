#include "reex/files/place.h"

#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace reex {
namespace {

constexpr unsigned k_most_links = 40; // as the kernel's MAXSYMLINKS

std::string proc(pid_t process) { return "/proc/" + std::to_string(process); }

std::optional<std::string> link_at(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  if (length < 0) return {};
  return std::string(target, static_cast<std::size_t>(length));
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return {};
  return std::string(real.get());
}

bool take_prefix(std::string& path, const char* prefix, const std::string& by) {
  const std::string text = prefix;
  if (path.compare(0, text.size(), text) != 0) return false;
  path.replace(0, text.size(), by);
  return true;
}

// These mean the process that asks.
void name_process(std::string& path, pid_t process) {
  const std::string folder = proc(process) + "/";
  if (take_prefix(path, "/proc/self/", folder) || take_prefix(path, "/proc/thread-self/", folder) ||
      take_prefix(path, "/dev/fd/", folder + "fd/"))
    return;
  const char* const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (int number = 0; number < 3; ++number)
    if (path == names[number]) path = folder + "fd/" + std::to_string(number);
}

// The user whose rights to files the process has.
std::string file_user_of(const std::string& folder) {
  std::ifstream status(folder + "/status");
  for (std::string word; status >> word;)
    if (std::string real, effective, saved, user;
        word == "Uid:" && status >> real >> effective >> saved >> user)
      return user;
  return "";
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

} // namespace

bool has_our_files(pid_t process) {
  const std::string folder = proc(process);
  struct stat root {
  }, own_root{};
  return link_at(folder + "/ns/mnt") == link_at("/proc/self/ns/mnt") &&
         stat((folder + "/root").c_str(), &root) == 0 && stat("/", &own_root) == 0 &&
         root.st_ino == own_root.st_ino && root.st_dev == own_root.st_dev &&
         (geteuid() != 0 || file_user_of(folder) == "0"); // only root can become somebody else
}

std::optional<FilePlace> place_of(pid_t process, int descriptor, const std::string& path, bool follow) {
  if (path.empty()) return {};
  std::string at = path;
  if (at.front() != '/')
    at = proc(process) + (descriptor == AT_FDCWD ? "/cwd" : "/fd/" + std::to_string(descriptor)) + "/" + at;
  name_process(at, process);
  const bool folder_wanted = path.back() == '/';
  for (unsigned links = 0; links < k_most_links; ++links) {
    while (at.size() > 1 && at.back() == '/') at.pop_back();
    FilePlace place{.folder = {}, .name = at.substr(at.rfind('/') + 1), .folder_wanted = folder_wanted};
    if (place.name.empty() || place.name == "." || place.name == "..") {
      const std::optional<std::string> real = real_path(at);
      if (!real || *real == "/") return {};
      return FilePlace{
          .folder = parent_of(*real), .name = real->substr(real->rfind('/') + 1), .folder_wanted = true};
    }
    const std::optional<std::string> folder = real_path(parent_of(at));
    if (!folder) return {};
    place.folder = *folder;
    if (!follow) return place;
    const std::optional<std::string> target = link_at(place.path());
    if (!target || target->empty()) return place;
    at = target->front() == '/' ? *target : place.folder + "/" + *target;
    name_process(at, process);
  }
  return {};
}

std::optional<FilePlace> place_of_descriptor(pid_t process, int descriptor) {
  const std::string link = proc(process) + "/fd/" + std::to_string(descriptor);
  const std::optional<std::string> path = link_at(link);
  struct stat named {
  }, open{};
  if (!path || path->front() != '/' || path->size() < 2 || lstat(path->c_str(), &named) != 0 ||
      stat(link.c_str(), &open) != 0 || named.st_ino != open.st_ino || named.st_dev != open.st_dev)
    return {};
  return FilePlace{.folder = parent_of(*path), .name = path->substr(path->rfind('/') + 1)};
}

} // namespace reex
