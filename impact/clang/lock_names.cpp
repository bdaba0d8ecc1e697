#include "impact/clang/lock_names.h"

#include <algorithm>
#include <array>

namespace reex::impact {
namespace {

constexpr std::array<std::string_view, 12> k_guards = {
    "lock_guard",      "scoped_lock",     "unique_lock",  "shared_lock", "upgrade_lock", "MutexLock",
    "ReaderMutexLock", "WriterMutexLock", "QMutexLocker", "QReadLocker", "QWriteLocker", "ScopedLock"};

constexpr std::array<std::string_view, 14> k_locks = {"lock",
                                                      "lock_shared",
                                                      "try_lock",
                                                      "try_lock_shared",
                                                      "try_lock_for",
                                                      "try_lock_until",
                                                      "pthread_mutex_lock",
                                                      "pthread_mutex_trylock",
                                                      "pthread_mutex_timedlock",
                                                      "pthread_rwlock_rdlock",
                                                      "pthread_rwlock_wrlock",
                                                      "pthread_spin_lock",
                                                      "mtx_lock",
                                                      "Lock"};

constexpr std::array<std::string_view, 7> k_unlocks = {
    "unlock",     "unlock_shared",         "pthread_mutex_unlock",
    "mtx_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock",
    "Unlock"};

constexpr std::array<std::string_view, 8> k_ends = {
    "abort", "exit", "_exit", "_Exit", "quick_exit", "terminate", "__assert_fail", "pthread_exit"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

bool is_lock_guard(std::string_view type) {
  if (type.starts_with("const ")) type.remove_prefix(6);
  type = type.substr(0, type.find('<'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  const std::size_t colon = type.rfind(':');
  return contains(k_guards, colon == std::string_view::npos ? type : type.substr(colon + 1));
}

LockCall lock_call_of(std::string_view function) {
  if (contains(k_locks, function)) return LockCall::lock;
  return contains(k_unlocks, function) ? LockCall::unlock : LockCall::none;
}

bool ends_program(std::string_view function) { return contains(k_ends, function); }

} // namespace reex::impact
