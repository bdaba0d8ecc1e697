#include "cli/run/test_turns.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "reex/run/sha256.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<LastTurn, const char*> k_words[] = {
    {LastTurn::failed, "failed "}, {LastTurn::waits, "waits "}, {LastTurn::had, "had "}};

std::vector<TestTurn> read_turns(const std::string& file) {
  std::vector<TestTurn> turns;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    for (const auto& [turn, word] : k_words)
      if (line.starts_with(word)) turns.push_back({line.substr(std::string(word).size()), turn});
  return turns;
}

// The place of a test among the others.
struct Place {
  int rank;
  std::size_t in_run; // of those that had no turn: who has waited longest comes first
  bool operator<(const Place& other) const {
    return std::pair(rank, in_run) < std::pair(other.rank, other.in_run);
  }
};

} // namespace

std::string turns_file(const std::string& failures_folder, const std::string& identity) {
  constexpr std::size_t k_digits = 16;
  const fs::path folder = fs::path(failures_folder).parent_path() / "runs";
  return (folder / (sha256_hex(identity).substr(0, k_digits) + ".turns")).string();
}

std::vector<std::string> in_turns(const std::string& file, const std::vector<std::string>& tests) {
  const std::vector<TestTurn> before = read_turns(file);
  if (before.empty()) return tests;
  std::map<std::string, Place> places;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const LastTurn turn = before[i].turn;
    const int rank = turn == LastTurn::failed ? 0 : turn == LastTurn::waits ? 2 : 3;
    places[before[i].test] = {rank, turn == LastTurn::had ? 0 : i};
  }
  constexpr Place k_new{1, 0};
  std::vector<std::pair<Place, std::string>> order;
  for (const std::string& test : tests) {
    const auto known = places.find(test);
    order.emplace_back(known == places.end() ? k_new : known->second, test);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<std::string> names;
  for (auto& [place, test] : order) names.push_back(std::move(test));
  return names;
}

std::vector<std::string> failed_before(const std::string& file) {
  std::vector<std::string> failed;
  for (TestTurn& one : read_turns(file))
    if (one.turn == LastTurn::failed) failed.push_back(std::move(one.test));
  return failed;
}

void keep_turns(const std::string& file, const std::vector<TestTurn>& turns) {
  std::error_code ignored;
  if (std::all_of(turns.begin(), turns.end(),
                  [](const TestTurn& one) { return one.turn == LastTurn::had; })) {
    fs::remove(file, ignored);
    return;
  }
  fs::create_directories(fs::path(file).parent_path(), ignored);
  const std::string beside = file + ".new"; // whoever reads sees all of it or nothing
  {
    std::ofstream out(beside);
    for (const TestTurn& one : turns)
      for (const auto& [turn, word] : k_words)
        if (turn == one.turn) out << word << one.test << '\n';
    if (!out.flush()) return;
  }
  fs::rename(beside, file, ignored);
}

} // namespace reex
