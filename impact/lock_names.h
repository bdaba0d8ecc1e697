// The tables of what takes and gives back a lock.
#pragma once

#include <cstdint>
#include <string_view>

namespace reex::impact {

// Whether a type, as it is spelled, is a class that holds a lock for its lifetime.
bool is_lock_guard(std::string_view type);

enum class LockCall : std::uint8_t { none, lock, unlock };
// Of a method (`m.lock()`) or a C function (`pthread_mutex_lock(&m)`).
LockCall lock_call_of(std::string_view function);

} // namespace reex::impact
