// What executions do to files is put back: generated programs have the outcomes that a model has, in both
// kinds of isolation and with several workers, and the user's files are there afterwards.
#include <array>
#include <fstream>
#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;
namespace fs = std::filesystem;

constexpr unsigned k_programs = 14;
const char* const k_mine = "precious";

// The files of programs/files.cpp. Each use is one step.
struct Model {
  std::string fresh = "-", mine = k_mine; // contents; "-": it is not there
  bool folder = false;
  std::string log = "l";

  std::string use(char letter, char name) {
    const auto there = [](const std::string& file) { return file != "-"; };
    const auto if_so = [](bool possible, auto effect) {
      if (possible) effect();
      return std::string(possible ? "+" : "-");
    };
    switch (letter) {
    case 'c':
      return if_so(!there(fresh), [&] { fresh = ""; });
    case 'u':
      return if_so(there(fresh), [&] { fresh = "-"; });
    case 'U':
      return if_so(there(mine), [&] { mine = "-"; });
    case 'r':
      return if_so(there(fresh), [&] { mine = std::exchange(fresh, "-"); });
    case 'R':
      return if_so(there(mine), [&] { fresh = std::exchange(mine, "-"); });
    case 'e':
      return if_so(there(fresh), [] {});
    case 'E':
      return if_so(there(mine), [] {});
    case 'm':
      return if_so(!folder, [&] { folder = true; });
    case 'k':
      return if_so(folder, [&] { folder = false; });
    case 'a':
      log += name;
      return "+";
    case 't':
      log = "";
      return "+";
    default:
      return "(" + log + ")";
    }
  }
};

// All interleavings of what is left of the scripts.
void interleave(const Model& model, const Words& left, const Words& seen, std::set<std::string>& outcomes) {
  bool over = true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].empty()) continue;
    over = false;
    Model next = model;
    Words rest = left, told = seen;
    told[i] += next.use(left[i].front(), static_cast<char>('1' + i));
    rest[i].erase(0, 1);
    interleave(next, rest, told, outcomes);
  }
  if (!over) return;
  std::string text;
  for (const std::string& one : seen) text += one + " ";
  outcomes.insert(text + model.log + " " + model.fresh + " " + model.mine + " " + (model.folder ? "+" : "-"));
}

std::set<std::string> reached(const Ran& ran) {
  std::set<std::string> texts;
  for (const auto& [text, seen] : outcomes_of(ran.report)) texts.insert(text);
  return texts;
}

// The working directory, with a file of the user's.
struct Place {
  Folder folder;
  fs::file_time_type time;

  Place() {
    std::ofstream(folder / "mine") << k_mine;
    time = fs::last_write_time(folder / "mine");
  }
  Ran run(const Words& options, const Words& scripts) const {
    Words program{REEX_PROGRAMS "/files"};
    program.insert(program.end(), scripts.begin(), scripts.end());
    return explore(folder, options, program);
  }
  void expect_as_before(const Ran& ran) const {
    for (const char* name : {"new", "f", "log"}) EXPECT_FALSE(fs::exists(folder / name)) << describe(ran);
    EXPECT_EQ(read_file(folder / "mine"), k_mine) << describe(ran);
    EXPECT_EQ(fs::last_write_time(folder / "mine"), time) << describe(ran);
  }
};

std::string script(std::mt19937& random) {
  constexpr std::array<std::string_view, 3> k_uses = {"cuUrReE", "cmkrRe", "atpUR"};
  const std::string_view uses = k_uses[random() % k_uses.size()];
  std::string result;
  for (unsigned length = 2 + random() % 2; result.size() < length;) result += uses[random() % uses.size()];
  return result;
}

TEST(Files, GeneratedProgramsHaveTheOutcomesOfAModel) {
  std::mt19937 random(1);
  std::size_t outcomes = 0;
  for (unsigned i = 0; i < k_programs; ++i) {
    const Words scripts{script(random), script(random)};
    std::set<std::string> expected;
    interleave({}, scripts, Words(scripts.size()), expected);
    outcomes += expected.size();
    const std::array<Words, 4> ways = {Words{"--isolation", "restore"}, Words{"--reduction", "none"},
                                       Words{"--isolation", "fork"}, Words{"-j", "2"}};
    for (const Words& way : ways) {
      const Place place;
      Words options{"--strategy", "icb", "--bound", "none", "--outcomes", "-k", "0"};
      options.insert(options.end(), way.begin(), way.end());
      const Ran ran = place.run(options, scripts);
      ASSERT_TRUE(ran.report.is_object()) << describe(ran);
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(reached(ran), expected) << describe(ran);
      EXPECT_EQ(ran.report["control"]["isolation"], way[1] == "fork" ? "fork" : "restore") << describe(ran);
      place.expect_as_before(ran);
    }
  }
  EXPECT_GT(outcomes, 3 * k_programs);
}

// "d" is no use: the program aborts there.
TEST(Files, AFailureLeavesTheFilesAsTheyWere) {
  for (const char* isolation : {"restore", "fork"}) {
    const Place place;
    const Ran ran = place.run({"--isolation", isolation, "--strategy", "icb"}, {"Ucd", "ma"});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    place.expect_as_before(ran);
    Ran again;
    for (const auto& file : schedule_files(place.folder.path()))
      again = command(place.folder, {"replay", file.string()});
    EXPECT_EQ(again.status, 1) << describe(again);
    place.expect_as_before(again);
  }
}

// "w" writes to the user's file.
TEST(Files, TooMuchContentIsTold) {
  const Place place;
  fs::resize_file(place.folder / "mine", std::uintmax_t{70} << 20);
  const Ran ran = place.run({"--schedules", "5", "--strategy", "random"}, {"w", "a"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_NE(ran.output.find("more than 64 MB"), std::string::npos) << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
