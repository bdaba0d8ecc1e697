#pragma once

#include "replworkers/ReplicatedWorkers.h"

namespace replworkers {

// Integrates x*x - x. An interval is halved until the trapezes of the halves are close to that of the whole.
class AdaptiveQuadrature : public ReplicatedWorkers {
public:
  AdaptiveQuadrature(const Configuration& configuration, double tolerance)
      : ReplicatedWorkers(configuration), tolerance(tolerance) {}

  double integrate(double left, double right);

protected:
  void doWork(const WorkItem& item) override;

private:
  static double f(double x) { return x * x - x; }
  static double trapeze(double left, double right) { return (f(left) + f(right)) / 2 * (right - left); }

  const double tolerance;
};

} // namespace replworkers
