#include "replworkers/AdaptiveQuadrature.h"

#include <cmath>
#include <numeric>

namespace replworkers {

double AdaptiveQuadrature::integrate(double left, double right) {
  addWork({left, right});
  const std::vector<double> results = execute();
  return std::accumulate(results.begin(), results.end(), 0.0);
}

void AdaptiveQuadrature::doWork(const WorkItem& item) {
  const double middle = (item.left + item.right) / 2;
  const double halves = trapeze(item.left, middle) + trapeze(middle, item.right);
  if (std::abs(halves - trapeze(item.left, item.right)) > tolerance) {
    addWork({item.left, middle});
    addWork({middle, item.right});
  } else {
    addResult(halves);
  }
}

} // namespace replworkers
