#include "cli/options/project_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

ProjectFile parse(const std::string& text) { return parse_project_file(text, ".reex.toml", "/project"); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string value_of(const ProjectFile& file, const std::string& key) {
  const FileSetting* setting = file.find(key);
  return setting == nullptr ? "(none)" : setting->value;
}

TEST(ProjectFile, ReadsSettingsOfEachType) {
  const ProjectFile file = parse(R"(
base = "origin/main"
bound = 3
budget = "90s"
hang-after = 1.5
strict = true
spurious = false
portfolio = ["LOA", "icb"]
build = "make -C build"

[hook]
budget = 30
on-error = "block"
)");
  EXPECT_EQ(value_of(file, "base"), "origin/main");
  EXPECT_EQ(value_of(file, "bound"), "3");
  EXPECT_EQ(value_of(file, "budget"), "90s");
  EXPECT_EQ(value_of(file, "hang-after"), "1.5");
  EXPECT_EQ(value_of(file, "strict"), "true");
  EXPECT_EQ(value_of(file, "spurious"), "false");
  EXPECT_EQ(value_of(file, "portfolio"), "LOA,icb");
  EXPECT_EQ(value_of(file, "hook.budget"), "30");
  EXPECT_EQ(value_of(file, "hook.on-error"), "block");
  EXPECT_EQ(value_of(file, "seed"), "(none)");
  EXPECT_EQ(file.build, "make -C build");
  EXPECT_EQ(file.find("bound")->where, ".reex.toml:3:9");
}

TEST(ProjectFile, TakesPathsFromItsFolder) {
  const ProjectFile file =
      parse("output = \"out\"\nformat = \"text,json:a/b.json\"\ncompile-commands = \"/c\"\n");
  EXPECT_EQ(value_of(file, "output"), "/project/out");
  EXPECT_EQ(value_of(file, "format"), "text,json:/project/a/b.json");
  EXPECT_EQ(value_of(file, "compile-commands"), "/c");
}

TEST(ProjectFile, ReadsTests) {
  const ProjectFile file = parse(R"(
[[test]]
binary = "build/queue_test"

[[test]]
name = "slow"
binary = "build/queue_test"
arguments = ["--size", "3"]
folder = "build"
filter = "Queue.*"
environment = { SIZE = 4, MODE = "x" }
sources = ["src/**", "*.h"]
)");
  ASSERT_EQ(file.tests.size(), 2U);
  EXPECT_EQ(file.tests[0].name, "queue_test");
  EXPECT_TRUE(file.tests[0].sources.empty());
  const TestEntry& slow = file.tests[1];
  EXPECT_EQ(slow.name, "slow");
  EXPECT_EQ(slow.arguments, (std::vector<std::string>{"--size", "3"}));
  EXPECT_EQ(slow.folder, "build");
  EXPECT_EQ(slow.filter, "Queue.*");
  EXPECT_EQ(slow.environment,
            (std::vector<std::pair<std::string, std::string>>{{"MODE", "x"}, {"SIZE", "4"}}));
  EXPECT_EQ(slow.sources, (std::vector<std::string>{"src/**", "*.h"}));
  EXPECT_EQ(slow.where, ".reex.toml:5");
}

TEST(ProjectFile, ReadsSuppressions) {
  const ProjectFile file = parse(R"(
[[suppress]]
kind = "data-race"
function = "Stats::add"
file = "src/stats.*"
reason = "counts are approximate"
expires = 2027-01-31

[[suppress]]
key = "3f0c9a71be42"
reason = "known"
expires = "2028-02-29"
)");
  ASSERT_EQ(file.suppressions.size(), 2U);
  EXPECT_EQ(file.suppressions[0].kind, "race");
  EXPECT_EQ(file.suppressions[0].function, "Stats::add");
  EXPECT_EQ(file.suppressions[0].file, "src/stats.*");
  EXPECT_EQ(file.suppressions[0].reason, "counts are approximate");
  EXPECT_EQ(file.suppressions[0].expires, "2027-01-31");
  EXPECT_EQ(file.suppressions[0].where, ".reex.toml:2");
  EXPECT_EQ(file.suppressions[1].kind, "");
  EXPECT_EQ(file.suppressions[1].key, "3f0c9a71be42");
  EXPECT_EQ(file.suppressions[1].expires, "2028-02-29");
}

TEST(ProjectFile, NamesThePlaceOfAnError) {
  const struct {
    const char* text;
    const char* error;
  } k_cases[] = {
      {"bond = 3", ".reex.toml:1:1: there is no key bond in .reex.toml: did you mean bound?"},
      {"\nbound = \"many\"",
       ".reex.toml:2:9: bound: 'many' is no bound: give a number of preemptions, or none"},
      {"bound = 2.5", ".reex.toml:1:9: bound: a number with a point is not accepted: give a number"},
      {"bound = true", ".reex.toml:1:9: bound: true or false is not accepted: give a number"},
      {"strict = 1", ".reex.toml:1:10: strict: a whole number is not accepted: give true or false"},
      {"base = \"\"", ".reex.toml:1:8: base: it is empty: give a text, or leave it out"},
      {"base = 12", ".reex.toml:1:8: base: a whole number is not accepted: give a text in quotes"},
      {"filter = \"A.*\"", ".reex.toml:1:1: filter is an option and no setting: give it on the command line"},
      {"[hok]\nbudget = 1", ".reex.toml:1:2: there is no key hok in .reex.toml: did you mean hook?"},
      {"[hook]\nbuget = 1", ".reex.toml:2:1: there is no key buget in [hook]: did you mean budget?"},
      {"hook = 1", ".reex.toml:1:8: hook: a whole number is not accepted: write [hook] above its keys"},
      {"[hook]\non-error = \"stop\"",
       ".reex.toml:2:12: hook.on-error: 'stop' is not known: give one of warn, block"},
      {"test = 3", ".reex.toml:1:8: test: a whole number is not accepted: write [[test]] above its keys"},
      {"[[test]]\nname = \"a\"", ".reex.toml:1:1: test: it has no binary: give binary = \"PATH\""},
      {"[[test]]\nbinary = \"a\"\nargs = []",
       ".reex.toml:3:1: there is no key args in [[test]]: docs/settings.md names them all"},
      {"[[test]]\nbinary = \"a\"\nsource = []",
       ".reex.toml:3:1: there is no key source in [[test]]: did you mean sources?"},
      {"[[test]]\nbinary = \"b/a\"\n[[test]]\nbinary = \"a\"",
       ".reex.toml:3:1: test: a is also the name of the test at .reex.toml:1: give name = \"ANOTHER\""},
      {"[[test]]\nbinary = \"a\"\narguments = \"x\"",
       ".reex.toml:3:13: arguments: a text is not accepted: give an array of texts, as [\"a\"]"},
      {"[[suppress]]\nkey = \"3f0c9a71\"",
       ".reex.toml:1:1: suppress: it has no reason: give reason = \"WHY\""},
      {"[[suppress]]\nreason = \"r\"",
       ".reex.toml:1:1: suppress: it does not say what it is about: give a key, a function or a file"},
      {"[[suppress]]\nkind = \"deadlok\"",
       ".reex.toml:2:8: kind: there is no kind 'deadlok': did you mean deadlock?"},
      {"[[suppress]]\nkey = \"3f0\"",
       ".reex.toml:2:7: key: '3f0' is no key: give the 8 to 12 digits (0-9, a-f) that the report shows"},
      {"[[suppress]]\nexpires = \"2027-02-30\"",
       ".reex.toml:2:11: expires: '2027-02-30' is no date: give one as 2027-01-31"},
      {"[[suppress]]\nexpires = 12:00:00",
       ".reex.toml:2:11: expires: a date or a time is not accepted: give a text in quotes"},
  };
  for (const auto& [text, error] : k_cases) EXPECT_EQ(error_of(text), error) << text;
  EXPECT_TRUE(error_of("bound = = 3").starts_with(".reex.toml:1:9: this is no TOML: "))
      << error_of("bound = = 3");
  EXPECT_TRUE(error_of("bound = 1\nbound = 2").starts_with(".reex.toml:2:")) << "a key twice";
}

class ProjectFolder : public testing::Test {
protected:
  ProjectFolder() {
    std::string name = testing::TempDir() + "project.XXXXXX";
    m_root = mkdtemp(name.data());
  }
  ~ProjectFolder() override { std::filesystem::remove_all(m_root); }
  std::filesystem::path m_root;
};

TEST_F(ProjectFolder, MayHaveNoFile) { EXPECT_EQ(read_project_file(m_root), std::nullopt); }

TEST_F(ProjectFolder, HoldsTheFile) {
  std::ofstream(m_root / ".reex.toml") << "bound = 4\n";
  const auto file = read_project_file(m_root);
  ASSERT_TRUE(file);
  EXPECT_EQ(value_of(*file, "bound"), "4");
  EXPECT_EQ(file->path, m_root / ".reex.toml");
}

TEST_F(ProjectFolder, RefusesWhatIsNoFile) {
  std::filesystem::create_directory(m_root / ".reex.toml");
  EXPECT_THROW(read_project_file(m_root), UsageError);
}

} // namespace
} // namespace reex
