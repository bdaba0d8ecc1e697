#pragma once

#include <array>

namespace raxextended {

// A timeline of tokens, each something to do.
class Plan {
public:
  static constexpr int tokens = 5;
  static constexpr int done = 0;

  // Made by the planner.
  void generate();

  // For the executive: the next token, or done.
  int next();

private:
  std::array<int, tokens> timeline{};
  std::size_t position = 0;
};

} // namespace raxextended
