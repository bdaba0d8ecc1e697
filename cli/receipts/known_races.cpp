#include "cli/receipts/known_races.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "cli/receipts/newest_files.h"
#include "reex/run/sha256.h"

namespace reex {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int k_format = 1;

fs::path path_of(const std::string& folder, const RaceSubject& subject) {
  constexpr std::size_t k_digits = 24;
  std::string text = subject.tree + '\0' + subject.binary;
  for (const std::string& argument : subject.arguments) text += '\0' + argument;
  return fs::path(folder) / (sha256_hex(text).substr(0, k_digits) + ".races");
}

KnownRace known_race(const std::string& key, const std::vector<ThreadPosition>& where) {
  KnownRace race{key, {}};
  for (std::size_t i = 0; i < where.size() && i < 2; ++i) { // a third place is no access
    std::vector<RacePlace>& side = race.sides.emplace_back();
    for (const Frame& frame : where[i].stack) side.push_back({frame.function, frame.file, frame.line});
  }
  std::sort(race.sides.begin(), race.sides.end()); // either may come first
  return race;
}

Json json_of(const KnownRace& race) {
  Json sides = Json::array();
  for (const auto& side : race.sides) {
    Json places = Json::array();
    for (const RacePlace& place : side)
      places.push_back(Json::array({place.function, place.file, place.line}));
    sides.push_back(std::move(places));
  }
  return {{"key", race.key}, {"sides", std::move(sides)}};
}

KnownRace race_of(const Json& json) {
  KnownRace race{json.at("key").get<std::string>(), {}};
  for (const Json& places : json.at("sides")) {
    std::vector<RacePlace>& side = race.sides.emplace_back();
    for (const Json& place : places)
      side.push_back(
          {place.at(0).get<std::string>(), place.at(1).get<std::string>(), place.at(2).get<unsigned>()});
  }
  return race;
}

// Where the line was before the changes; 0 if they made it.
unsigned line_before(const RacePlace& place, const std::vector<FileChange>& changes,
                     const std::string& root) {
  for (const FileChange& change : changes)
    if (!change.new_path.empty() && (fs::path(root) / change.new_path).lexically_normal() == place.file)
      return change.old_path == change.new_path ? old_line_of(change.hunks, place.line) : 0;
  return place.line;
}

} // namespace

std::vector<KnownRace> races_of(const std::vector<TestRun>& runs) {
  std::vector<KnownRace> races;
  for (const TestRun& run : runs) {
    for (const Finding& finding : run.findings)
      if (finding.kind == "data-race") races.push_back(known_race(finding.key, finding.where));
    for (const Failure& failure : run.failures)
      if (failure.kind == "race") races.push_back(known_race(failure.key, failure.where));
  }
  return races;
}

void keep_races(const std::string& folder, const RaceSubject& subject, const std::vector<KnownRace>& races) {
  if (races.empty()) return;
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(folder, error))) return;
  fs::create_directories(folder, error);
  const std::vector<KnownRace> before = known_races(folder, subject);
  std::set<KnownRace> all(before.begin(), before.end());
  for (const KnownRace& race : races)
    if (all.size() < k_most_races) all.insert(race);
  Json list = Json::array();
  for (const KnownRace& race : all) list.push_back(json_of(race));
  const fs::path path = path_of(folder, subject);
  const fs::path beside = path.string() + '.' + std::to_string(getpid());
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << Json{{"reex_races", k_format}, {"races", std::move(list)}}.dump(-1, ' ', true,
                                                                         Json::error_handler_t::replace)
      << '\n';
  out.close();
  if (out) fs::rename(beside, path, error);
  if (!out || error) fs::remove(beside, error);
  keep_the_newest(folder, k_most_race_files);
}

std::vector<KnownRace> known_races(const std::string& folder, const RaceSubject& subject) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(folder, error))) return {};
  std::ifstream in(path_of(folder, subject), std::ios::binary);
  const Json json = Json::parse(in, nullptr, false);
  try {
    std::vector<KnownRace> races;
    if (json.at("reex_races").get<int>() == k_format)
      for (const Json& race : json.at("races")) races.push_back(race_of(race));
    return races;
  } catch (const Json::exception&) {
    return {};
  }
}

bool is_known_race(const Finding& finding, const std::vector<KnownRace>& known,
                   const std::vector<FileChange>& changes, const std::string& root) {
  if (std::none_of(known.begin(), known.end(),
                   [&](const KnownRace& race) { return race.key == finding.key; }))
    return false;
  KnownRace race = known_race(finding.key, finding.where);
  for (std::vector<RacePlace>& side : race.sides) {
    for (RacePlace& place : side) {
      if (place.line == 0) continue; // without line information
      place.line = line_before(place, changes, root);
      if (place.line == 0) return false;
    }
  }
  std::sort(race.sides.begin(), race.sides.end());
  return std::find(known.begin(), known.end(), race) != known.end();
}

} // namespace reex
