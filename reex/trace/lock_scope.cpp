#include "reex/trace/lock_scope.h"

#include <algorithm>

namespace reex {
namespace {

bool is_same_call(const Frame& a, const Frame& b) {
  return a.function == b.function && a.file == b.file && a.line == b.line && a.column == b.column;
}

bool is_of_user(const Frame& frame) { return !frame.system_header && !frame.file.empty(); }

} // namespace

std::size_t scope_of(const std::vector<Frame>& taken, const std::vector<Frame>& later) {
  const auto [here, there] =
      std::mismatch(taken.rbegin(), taken.rend(), later.rbegin(), later.rend(), is_same_call);
  if (here == taken.rend() || there == later.rend()) return 0;
  const bool in_one_function = here->function == there->function && here->file == there->file;
  if (!in_one_function && here == taken.rbegin()) return 0; // no common caller: the stacks are not whole
  const auto scope = in_one_function ? here : here - 1;
  return is_of_user(*scope) ? static_cast<std::size_t>(taken.rend() - scope) - 1 : 0;
}

void mark_helpers(std::vector<Frame>& stack, std::size_t count) {
  const auto end = stack.begin() + static_cast<std::ptrdiff_t>(std::min(count, stack.size()));
  if (end == stack.end() || std::any_of(stack.begin(), end, [](const Frame& frame) { return frame.changed; }))
    return;
  std::for_each(stack.begin(), end, [](Frame& frame) { frame.helper = true; });
}

std::size_t frames_of(const std::vector<Frame>& stack, const std::set<std::string>& functions) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (functions.contains(stack[i].function))
      count = i + 1;
    else if (is_of_user(stack[i]))
      break;
  }
  return count;
}

} // namespace reex
