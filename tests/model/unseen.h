// A variable of a generated program that lies in code without hooks: reex sees none of its operations.
#pragma once

namespace reex::model {

struct Unseen {
  int value;

  int load() const;
  void store(int desired);
  int fetch_add(int increment);
  int exchange(int desired);
  bool compare_exchange_strong(int& expected, int desired);
};

} // namespace reex::model
