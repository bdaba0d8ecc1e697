#pragma once

#include <mutex>
#include <vector>

namespace replworkers {

// The results of the workers.
class ResultPool {
public:
  void add(double result);
  std::vector<double> takeAll();

private:
  std::mutex resultLock;
  std::vector<double> results;
};

} // namespace replworkers
