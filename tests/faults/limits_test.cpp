// Limits of the shell, and disks that are too small: a documented status, one line that says what to do, no
// signal, and the report where it can be written.
#include <algorithm>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex {
namespace {

using namespace std::chrono_literals;
using tool::Folder;
using tool::Ran;
using tool::Words;

// Only the standard streams are open. The output goes through a pipe: a limit for files is one for it, too.
constexpr const char* k_under_limit = R"((
for open in /proc/self/fd/*; do
  [ "${open##*/}" -le 2 ] || eval "exec ${open##*/}>&-"
done
eval "$0" && exec "$@") 2>&1 | cat
exit "${PIPESTATUS[0]}")";
constexpr const char* k_on_small_disk = R"(mount -t tmpfs -o size="$0" none small && exec "$@")";

Words reex_on(const Folder& folder, const std::string& subject, const Words& options = {}) {
  return tool::explore_command(folder, options, {REEX_SUBJECT, subject});
}

Ran run(const Folder& folder, Words before, const Words& command) {
  before.insert(before.end(), command.begin(), command.end());
  return tool::Running(folder, before).wait(30s);
}

Ran under(const Folder& folder, const std::string& limit, const Words& command) {
  return run(folder, {"/bin/bash", "-c", k_under_limit, limit}, command);
}

unsigned lines_with(const Ran& ran, const std::string& pattern) {
  const std::regex wanted("reex: .*(" + pattern + ").*");
  std::istringstream text(ran.output);
  unsigned count = 0;
  for (std::string line; std::getline(text, line);) count += std::regex_match(line, wanted) ? 1 : 0;
  return count;
}

void expect_machine_error(const Ran& ran, const std::string& pattern) {
  EXPECT_EQ(ran.status, 70) << tool::describe(ran);
  EXPECT_EQ(lines_with(ran, pattern), 1u) << tool::describe(ran);
  ASSERT_TRUE(ran.report.is_object()) << tool::describe(ran);
  EXPECT_EQ(ran.report.at("error_kind"), "machine") << ran.report.dump(1);
}

struct Limit {
  const char* limit;
  const char* pattern; // of the one line
};
void PrintTo(const Limit& limit, std::ostream* out) { *out << limit.limit; }

class Refused : public testing::TestWithParam<Limit> {};

TEST_P(Refused, IsTold) {
  const Folder folder;
  for (const char* subject : {"fails", "passes"})
    expect_machine_error(under(folder, GetParam().limit, reex_on(folder, subject)), GetParam().pattern);
}

INSTANTIATE_TEST_SUITE_P(All, Refused,
                         testing::Values(Limit{"ulimit -f 100", "ulimit -f unlimited"},
                                         Limit{"ulimit -f 100000", "ulimit -f unlimited"},
                                         Limit{"ulimit -v 1000000", "limited to 976 MB.*ulimit -v unlimited"},
                                         Limit{"ulimit -v 20000000", "limited to 19 GB.*ulimit -v unlimited"},
                                         Limit{"ulimit -v 40000000", "limited to 38 GB.*ulimit -v unlimited"},
                                         Limit{"ulimit -v 90000000", "limited to 85 GB.*ulimit -v unlimited"},
                                         Limit{"ulimit -n 4", "open files.*ulimit -n 1024"}));

TEST(Limits, WithoutAnyFileTheReportIsMissedToo) {
  const Folder folder;
  const Ran ran = under(folder, "ulimit -f 0", reex_on(folder, "fails"));
  // The status is that of the run, which the same limit keeps from exploring.
  EXPECT_EQ(ran.status, 70) << tool::describe(ran);
  EXPECT_EQ(lines_with(ran, "the size of files is limited.*ulimit -f unlimited"), 1u) << tool::describe(ran);
  EXPECT_EQ(lines_with(ran, "report.*cannot be written.*ulimit -f unlimited"), 1u) << tool::describe(ran);
}

TEST(Limits, FewOpenFilesAreEnough) {
  const Folder folder;
  for (const char* limit : {"ulimit -n 12", "ulimit -n 16"}) {
    EXPECT_EQ(under(folder, limit, reex_on(folder, "fails")).status, 1) << limit;
    const Ran passed = under(folder, limit, reex_on(folder, "passes"));
    EXPECT_EQ(passed.status, 0) << limit << tool::describe(passed);
  }
}

TEST(Limits, AReplayNeedsTheSame) {
  const Folder folder;
  ASSERT_EQ(tool::explore(folder, {}, {REEX_SUBJECT, "fails"}).status, 1);
  const Words replay{tool::reex_binary(), "replay", tool::schedule_files(folder.path()).at(0).string()};
  for (const auto& [limit, pattern] :
       {std::pair("ulimit -v 40000000", "ulimit -v unlimited"), std::pair("ulimit -f 100", "ulimit -f unl"),
        std::pair("ulimit -n 4", "ulimit -n 1024")}) {
    const Ran ran = under(folder, limit, replay);
    EXPECT_EQ(ran.status, 70) << tool::describe(ran);
    EXPECT_EQ(lines_with(ran, pattern), 1u) << tool::describe(ran);
  }
}

TEST(Limits, ClosedStandardStreamsStayWhatTheyAre) {
  const Folder folder;
  for (const char* closed : {"exec <&-", "exec 2>&-", "exec <&- 2>&-"}) {
    EXPECT_EQ(under(folder, closed, reex_on(folder, "fails")).status, 1) << closed;
    EXPECT_EQ(under(folder, closed, reex_on(folder, "passes")).status, 0) << closed;
  }
  EXPECT_EQ(under(folder, "exec <&- >&- 2>&-", reex_on(folder, "fails", {"--format", "json:r.json"})).status,
            1);
}

class SmallDisk : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directory(m_folder / "small");
    if (const Ran tried = on_disk("64k", {"/bin/true"}); tried.status != 0)
      GTEST_SKIP() << "no disk can be mounted here: unshare -rm is not permitted\n" << tried.output;
  }

  Ran on_disk(const std::string& size, const Words& command) const {
    return run(m_folder, {"/usr/bin/unshare", "-rm", "/bin/bash", "-c", k_on_small_disk, size}, command);
  }

  Ran explore(const std::string& size, const std::string& subject, const Words& options = {}) const {
    Words command = reex_on(m_folder, subject, options);
    *(std::find(command.begin(), command.end(), "-o") + 1) = (m_folder / "small").string();
    return on_disk(size, command);
  }

  Folder m_folder;
};

TEST_F(SmallDisk, WithoutRoomForTheStateTheRunCannotBeContinued) {
  const Ran failed = explore("64k", "fails");
  EXPECT_EQ(failed.status, 1) << tool::describe(failed);
  EXPECT_NE(failed.output.find("cannot be continued"), std::string::npos) << tool::describe(failed);
  const Ran passed = explore("64k", "passes");
  EXPECT_EQ(passed.status, 0) << tool::describe(passed);
}

TEST_F(SmallDisk, ASmallRunFitsIntoThreeMegabytes) {
  EXPECT_EQ(explore("3m", "fails").status, 1);
  EXPECT_EQ(explore("3m", "passes").status, 0);
}

TEST_F(SmallDisk, ADiskThatBecomesFullEndsTheRunAndNothingGoesOnFromIt) {
  const Ran ran = explore("3m", "wide", {"--reduction", "none", "--races", "off", "--budget", "20s"});
  expect_machine_error(ran, "no room is left on the disk of .*small/.reex/runs: make room");
  EXPECT_EQ(ran.output.find("--resume"), std::string::npos) << tool::describe(ran);
  EXPECT_TRUE(ran.report.at("bound_completed").is_null());
}

} // namespace
} // namespace reex
