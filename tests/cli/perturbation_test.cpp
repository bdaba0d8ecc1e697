#include "cli/native/perturbation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace reex {
namespace {

const std::vector<int> k_cpus = {2, 3, 5, 7};

TEST(Perturbation, FirstRunIsNotDisturbed) {
  EXPECT_TRUE(perturbation(0, 1, k_cpus).none(k_cpus.size()));
  EXPECT_EQ(perturbation_text(perturbation(9, 1, k_cpus), k_cpus.size()), "none");
}

TEST(Perturbation, DependsOnSeedAndRunAlone) {
  std::set<std::string> seen;
  for (std::uint64_t run = 2; run < 200; ++run) {
    const Perturbation one = perturbation(4, run, k_cpus);
    EXPECT_EQ(perturbation_text(one, 4), perturbation_text(perturbation(4, run, k_cpus), 4));
    seen.insert(perturbation_text(one, 4));
    ASSERT_FALSE(one.cpus.empty());
    for (const int cpu : one.cpus) EXPECT_TRUE(std::count(k_cpus.begin(), k_cpus.end(), cpu) == 1) << cpu;
    EXPECT_EQ(std::set<int>(one.cpus.begin(), one.cpus.end()).size(), one.cpus.size());
    EXPECT_LE(one.load, 2 * one.cpus.size());
    EXPECT_TRUE(one.niceness >= 0 && one.niceness <= 19);
  }
  EXPECT_GT(seen.size(), 100U);
}

TEST(Perturbation, WorksWithOneCpu) {
  std::set<unsigned> loads;
  for (std::uint64_t run = 2; run < 50; ++run) loads.insert(perturbation(0, run, {0}).load);
  EXPECT_EQ(loads, (std::set<unsigned>{0, 1, 2}));
}

TEST(Perturbation, SaysWhatItIs) {
  EXPECT_EQ(perturbation_text({.cpus = {1}, .niceness = 7, .load = 1, .burst_us = 100}, 2),
            "on CPU 1 of 2, niceness +7, 1 busy process in bursts of 100 us");
  EXPECT_EQ(perturbation_text({.cpus = {0, 1}, .niceness = 0, .load = 3, .burst_us = 0}, 4),
            "on CPUs 0, 1 of 4, 3 busy processes");
}

} // namespace
} // namespace reex
