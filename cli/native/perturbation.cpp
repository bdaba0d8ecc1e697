#include "cli/native/perturbation.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "report/text/text_layout.h"

namespace reex {
namespace {

// SplitMix64: from a number to the next, and to well mixed bits.
class Numbers {
public:
  Numbers(std::uint64_t seed, std::uint64_t run) : m_state(seed * 0x9e3779b97f4a7c15 + run) { next(); }
  // 0 to below - 1
  unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }

private:
  std::uint64_t next() {
    m_state += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t m_state;
};

// All of them, one, or any number in between.
std::vector<int> some_of(std::vector<int> cpus, Numbers& numbers) {
  const auto all = static_cast<unsigned>(cpus.size());
  const unsigned kind = numbers.below(3);
  const unsigned wanted = kind == 0 ? all : kind == 1 ? 1 : 1 + numbers.below(all);
  for (unsigned i = 0; i < wanted; ++i) std::swap(cpus[i], cpus[i + numbers.below(all - i)]);
  cpus.resize(wanted);
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

} // namespace

Perturbation perturbation(std::uint64_t seed, std::uint64_t run, const std::vector<int>& cpus) {
  constexpr unsigned k_nicest = 19;
  constexpr unsigned k_bursts[] = {0, 100, 1000, 10000};
  Perturbation one;
  one.cpus = cpus;
  if (run <= 1) return one;
  Numbers numbers(seed, run);
  one.cpus = some_of(cpus, numbers);
  if (numbers.below(2) == 0) one.niceness = static_cast<int>(numbers.below(k_nicest + 1));
  // Up to two for each of its CPUs, so that it waits for its turn now and then.
  one.load = numbers.below(2 * static_cast<unsigned>(one.cpus.size()) + 1);
  one.burst_us = k_bursts[numbers.below(4)];
  return one;
}

std::string perturbation_text(const Perturbation& one, std::size_t all_cpus) {
  if (one.none(all_cpus)) return "none";
  std::string cpus;
  for (const int cpu : one.cpus) cpus += (cpus.empty() ? "" : ", ") + std::to_string(cpu);
  std::string text = fmt::format("on {} {} of {}", one.cpus.size() == 1 ? "CPU" : "CPUs", cpus, all_cpus);
  if (one.niceness != 0) text += fmt::format(", niceness +{}", one.niceness);
  if (one.load != 0) text += ", " + counted(one.load, "busy process", "busy processes");
  if (one.load != 0 && one.burst_us != 0) text += fmt::format(" in bursts of {} us", one.burst_us);
  return text;
}

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

} // namespace reex
