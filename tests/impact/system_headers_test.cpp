// The precompiled headers of the system: the same facts as without, whatever the units do before they include
// them, and whatever becomes of the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "impact/facts/facts_cache.h"
#include "impact/facts/parse.h"
#include "impact/facts/system_headers.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

namespace fs = std::filesystem;
using impact::FactsCache;
using impact::ParseJob;
using impact::SystemHeadersCache;
using impact::UnitFacts;

// Files below this folder count as the system's, by its name.
const char* const k_system = "other/include/c++";

class SystemHeadersOf : public testing::Test {
protected:
  void system(const std::string& name, const std::string& text) {
    m_project.write(std::string(k_system) + '/' + name, text);
  }
  ParseJob unit(const std::string& name, const std::string& text, std::vector<std::string> options = {}) {
    m_project.write(name, text);
    options.insert(options.end(), {"-I", m_project.path(k_system), "-I", m_project.root()});
    return {m_project.path(name), m_project.root(), options};
  }
  UnitFacts parse(const ParseJob& job, bool keeps) {
    FactsCache cache(keeps ? m_project.path(".reex/cache") : "");
    UnitFacts facts = impact::parse_units({job}, {}, 1, cache).front();
    const std::set<std::string> read(facts.read.begin(), facts.read.end());
    facts.read.assign(read.begin(), read.end());
    std::sort(facts.included.begin(), facts.included.end());
    return facts;
  }
  // The facts, which are those of a parse without precompiled headers.
  UnitFacts same(const ParseJob& job) {
    const UnitFacts plain = parse(job, false);
    UnitFacts quick = parse(job, true);
    EXPECT_EQ(quick.problem, plain.problem);
    EXPECT_EQ(quick.included, plain.included);
    EXPECT_TRUE(std::includes(quick.read.begin(), quick.read.end(), plain.read.begin(), plain.read.end()));
    for (const auto& [file, facts] : plain.files) {
      const impact::FileFacts& others = quick.files[file];
      EXPECT_EQ(others.functions, facts.functions) << file;
      EXPECT_EQ(others.accesses, facts.accesses) << file;
      EXPECT_EQ(others.calls, facts.calls) << file;
      EXPECT_EQ(others.regions, facts.regions) << file;
      EXPECT_EQ(others.uses, facts.uses) << file;
    }
    return quick;
  }
  std::vector<SystemHeadersCache::Choice> choose(const std::vector<ParseJob>& jobs) const {
    return SystemHeadersCache(m_project.path(".reex/cache"), "test").choose(jobs, {}, 2);
  }
  std::vector<fs::path> files(const std::string& ending) const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(m_project.path(".reex/cache/headers"), error))
      if (entry.path().extension() == ending) found.push_back(entry.path());
    return found;
  }
  static bool accesses(const UnitFacts& facts, const std::string& field) {
    for (const auto& [file, those] : facts.files)
      for (const impact::Access& access : those.accesses)
        if (access.field.name == field) return true;
    return false;
  }
  // A header of the system decides which of the two variables it uses.
  static std::string uses_place() { return "int few, many;\nint f() { return PLACE; }\n"; }

  ScratchProject m_project;
};

const char* const k_queue = "#include <deque>\n#include <mutex>\n"
                            "class Queue {\npublic:\n  void put(int item) {\n"
                            "    std::lock_guard lock(m_mutex);\n    m_items.push_back(item);\n  }\n"
                            "private:\n  std::mutex m_mutex;\n  std::deque<int> m_items;\n};\n";

TEST_F(SystemHeadersOf, AreParsedOnce) {
  const UnitFacts facts = same(unit("a.cpp", k_queue));
  EXPECT_TRUE(accesses(facts, "m_items"));
  ASSERT_EQ(files(".pch").size(), 1U);
  const auto made = fs::last_write_time(files(".list").front());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const ParseJob other = unit("b.cpp", std::string(k_queue) + "Queue queue;\nvoid f() { queue.put(1); }\n");
  EXPECT_TRUE(accesses(same(other), "queue"));
  EXPECT_EQ(files(".pch").size(), 1U);
  EXPECT_GT(fs::last_write_time(files(".list").front()), made) << "it was not used for the other unit";
}

TEST_F(SystemHeadersOf, OtherOptionsAreOthers) {
  system("lib.h", "#ifdef SMALL\n#define PLACE few\n#else\n#define PLACE many\n#endif\n");
  const std::string text = "#include <lib.h>\n" + uses_place();
  EXPECT_TRUE(accesses(same(unit("a.cpp", text, {"-DSMALL"})), "few"));
  EXPECT_TRUE(accesses(same(unit("a.cpp", text)), "many"));
  EXPECT_EQ(files(".pch").size(), 2U);
}

TEST_F(SystemHeadersOf, AMacroOfTheUserComesFirst) {
  system("lib.h", "#ifndef FIELD\n#define FIELD many\n#endif\n#define PLACE FIELD\n");
  EXPECT_TRUE(accesses(same(unit("a.cpp", "#include <lib.h>\n" + uses_place())), "many"));
  ASSERT_EQ(files(".pch").size(), 1U);
  const ParseJob own = unit("b.cpp", "#define FIELD few\n#include <lib.h>\n" + uses_place());
  EXPECT_EQ(choose({own}).front().headers, nullptr);
  EXPECT_TRUE(accesses(same(own), "few"));
  m_project.write("config.h", "#pragma once\n#define FIELD few\n");
  const ParseJob included = unit("c.cpp", "#include \"config.h\"\n#include <lib.h>\n" + uses_place());
  EXPECT_TRUE(accesses(same(included), "few"));
}

TEST_F(SystemHeadersOf, AChangedHeaderIsReadAgain) {
  system("lib.h", "#pragma once\n#define PLACE few\n");
  EXPECT_TRUE(accesses(same(unit("a.cpp", "#include <lib.h>\n" + uses_place())), "few"));
  system("lib.h", "#pragma once\n#define PLACE many\n");
  const UnitFacts facts = same(unit("a.cpp", "#include <lib.h>\n" + uses_place()));
  EXPECT_TRUE(accesses(facts, "many"));
  EXPECT_EQ(facts.problem, "");
}

TEST_F(SystemHeadersOf, AHeaderThatWantsSomethingBeforeIsLeftOut) {
  system("wants.h", "#ifndef WANTED\n#error define WANTED\n#endif\n#define PLACE WANTED\n");
  const std::string text =
      "#include <mutex>\n#define WANTED few\n#include <wants.h>\nstd::mutex m;\n" + uses_place();
  EXPECT_TRUE(accesses(same(unit("a.cpp", text)), "few"));
  const ParseJob other = unit("b.cpp", "#include <mutex>\nstd::mutex n;\nvoid f() { n.lock(); }\n");
  const auto choice = choose({other}).front();
  ASSERT_NE(choice.headers, nullptr);
  EXPECT_EQ(choice.headers->names, std::vector<std::string>{"<mutex>"});
}

TEST_F(SystemHeadersOf, AConditionalIncludeWaitsForItsCondition) {
  system("never.h", "#error never\n");
  system("lib.h", "#pragma once\n#define PLACE few\n");
  const char* const text =
      "#ifndef A_H\n#define A_H\n#include <lib.h>\n#ifdef ELSEWHERE\n#include <never.h>\n"
      "#endif\ninline int few, many;\ninline int f() { return PLACE; }\n#endif\n";
  m_project.write("a.h", text);
  const auto choice = choose({unit("a.cpp", "#include \"a.h\"\n")}).front();
  ASSERT_NE(choice.headers, nullptr);
  EXPECT_EQ(choice.headers->names, std::vector<std::string>{"<lib.h>"});
  EXPECT_TRUE(accesses(same(unit("a.cpp", "#include \"a.h\"\n")), "few"));
}

TEST_F(SystemHeadersOf, DamageIsNoHarm) {
  system("lib.h", "#define PLACE few\n");
  const std::string text = "#include <lib.h>\n" + uses_place();
  const ParseJob job = unit("a.cpp", text);
  same(job);
  for (const char* ending : {".pch", ".list"}) {
    for (const fs::path& file : files(ending)) fs::resize_file(file, fs::file_size(file) / 2);
    same(job);
    for (const fs::path& file : files(ending)) fs::remove(file);
    same(job);
  }
  for (const fs::path& file : files(".pch")) { // of the same size
    const auto size = fs::file_size(file);
    std::ofstream(file, std::ios::trunc | std::ios::binary) << std::string(size, 'x');
  }
  EXPECT_TRUE(accesses(same(unit("b.cpp", text)), "few"));
}

TEST_F(SystemHeadersOf, WhatComesLaterIsTakenInWhenItHasCostAsMuch) {
  system("large.h", "#pragma once\n//" + std::string(10'000, 'x') + "\n\n");
  system("later.h", "#pragma once\n//" + std::string(4'000, 'x') + "\n#define PLACE few\n");
  choose({unit("a.cpp", "#include <large.h>\n")});
  const ParseJob both = unit("b.cpp", "#include <large.h>\n#include <later.h>\n" + uses_place());
  int used = 0;
  while (choose({both}).front().missing == std::vector<std::string>{"<later.h>"} && used < 10) {
    const auto choice = choose({both}).front();
    SystemHeadersCache::used(choice, {m_project.path(std::string(k_system) + "/later.h")});
    ++used;
  }
  EXPECT_EQ(used, 3); // 3 * 4,000 bytes are more than 10,000
  EXPECT_EQ(choose({both}).front().headers->names, (std::vector<std::string>{"<large.h>", "<later.h>"}));
  EXPECT_TRUE(accesses(same(both), "few"));
}

TEST_F(SystemHeadersOf, NothingIsKeptWithoutAFolder) {
  system("lib.h", "#define PLACE few\n");
  const ParseJob job = unit("a.cpp", "#include <lib.h>\n");
  EXPECT_EQ(SystemHeadersCache("", "test").choose({job}, {}, 1).front().headers, nullptr);
  ScratchProject elsewhere;
  fs::create_directories(m_project.path(".reex/cache"));
  fs::create_directory_symlink(elsewhere.root(), m_project.path(".reex/cache/headers"));
  same(job);
  EXPECT_TRUE(fs::is_empty(elsewhere.root()));
}

TEST_F(SystemHeadersOf, TheOldestLeave) {
  system("lib.h", "#define PLACE few\n");
  const SystemHeadersCache cache(m_project.path(".reex/cache"), "test", 1'000'000);
  for (int i = 0; i < 6; ++i) {
    cache.choose({unit("a.cpp", "#include <lib.h>\n", {"-DN=" + std::to_string(i)})}, {}, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::uintmax_t size = 0;
  for (const fs::path& file : files(".pch")) size += fs::file_size(file);
  EXPECT_LE(size, 1'000'000U);
  EXPECT_GT(size, 0U);
}

} // namespace
} // namespace reex::test
