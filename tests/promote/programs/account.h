#pragma once
#include <mutex>

class Account {
public:
  explicit Account(int balance) : m_balance(balance) {}
  bool withdraw(int amount) {
    if (balance() < amount) return false;
    change(-amount);
    return true;
  }
  int balance() const {
    const std::lock_guard lock(m_mutex);
    return m_balance;
  }

private:
  void change(int by) {
    const std::lock_guard lock(m_mutex);
    m_balance += by;
  }
  mutable std::mutex m_mutex;
  int m_balance;
};
