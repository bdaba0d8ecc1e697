// Two workers integrate one function after the other, and never wait for ever.
//
//     test [JOBS]   how many (for ever)
#undef NDEBUG
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "replworkers/AdaptiveQuadrature.h"

using namespace replworkers;

namespace {

void testJob(AdaptiveQuadrature& quadrature) {
  const double integral = quadrature.integrate(0, 1);
  assert(std::abs(integral + 1.0 / 6) < 0.05);
}

void testJobs(int jobs) {
  AdaptiveQuadrature quadrature({.synchronous = true}, 0.05);
  quadrature.start();
  for (int job = 0; job < jobs; ++job) testJob(quadrature);
  quadrature.destroy();
}

void testForEver() {
  AdaptiveQuadrature quadrature({.synchronous = true}, 0.05);
  quadrature.start();
  for (;;) testJob(quadrature);
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1)
    testJobs(std::atoi(argv[1]));
  else
    testForEver();
}
