// The names of the types and functions that acquire and release locks.
#pragma once

#include <cstdint>
#include <string_view>

namespace reex::impact {

// Whether a type, given as it is spelled, is a class whose objects hold a lock as long as they live.
bool is_lock_guard(std::string_view type);

enum class LockCall : std::uint8_t { none, lock, unlock };
// For the name of a method (`m.lock()`) or of a C function (`pthread_mutex_lock(&m)`).
LockCall lock_call_of(std::string_view function);

// Whether a function of the system does not return.
bool ends_program(std::string_view function);

} // namespace reex::impact
