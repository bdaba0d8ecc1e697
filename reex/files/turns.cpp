#include "reex/files/turns.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace reex {
namespace {

// They outlive all others: a thread may still end as the process does.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<FileTurns*> all; // in the order of their making
  FileTurns* changing = nullptr;
};

Shared& shared() {
  static auto* const the = new Shared;
  return *the;
}

} // namespace

FileTurns::FileTurns(int group) : m_group(group) {
  const std::lock_guard lock(shared().mutex);
  shared().all.push_back(this);
}

FileTurns::~FileTurns() { leave(); }

// Under the lock.
bool FileTurns::holds_up() const { return !m_lets_start && (!m_first_is_over || m_changes_files); }

bool FileTurns::may_start() const {
  for (const FileTurns* other : shared().all) {
    if (other == this) return true;
    if (other->m_group == m_group && other->holds_up()) return false;
  }
  return true;
}

void FileTurns::await_start() {
  std::unique_lock lock(shared().mutex);
  shared().changed.wait(lock, [this] { return m_stopped || may_start(); });
  m_started = true;
}

void FileTurns::first_execution_is_over() {
  const std::lock_guard lock(shared().mutex);
  m_first_is_over = true;
  shared().changed.notify_all();
}

void FileTurns::let_others_start() {
  const std::lock_guard lock(shared().mutex);
  m_lets_start = true;
  shared().changed.notify_all();
}

bool FileTurns::begin_change() {
  std::unique_lock lock(shared().mutex);
  m_changes_files = true;
  const auto is_free = [this] { return shared().changing == nullptr || shared().changing == this; };
  shared().changed.wait(lock, [&] { return m_stopped || is_free(); });
  if (is_free()) shared().changing = this;
  return std::none_of(shared().all.begin(), shared().all.end(), [this](const FileTurns* other) {
    return other != this && other->m_group == m_group && other->m_started;
  });
}

void FileTurns::end_changes() {
  const std::lock_guard lock(shared().mutex);
  if (shared().changing != this) return;
  shared().changing = nullptr;
  shared().changed.notify_all();
}

void FileTurns::stop() {
  const std::lock_guard lock(shared().mutex);
  m_stopped = true;
  shared().changed.notify_all();
}

void FileTurns::leave() {
  const std::lock_guard lock(shared().mutex);
  if (shared().changing == this) shared().changing = nullptr;
  std::erase(shared().all, this);
  shared().changed.notify_all();
}

} // namespace reex
