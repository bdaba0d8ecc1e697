// The cache of facts: the same result as without it, and never that of other contents.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "impact/facts/facts_cache.h"
#include "impact/facts/parse.h"
#include "impact/print.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

namespace fs = std::filesystem;

const char* const k_header = "#pragma once\ninline int g;\nconstexpr int k_step = 1;\n";
const char* const k_before = "#include \"header.h\"\nvoid f() {\n  g = 1;\n}\n";
const char* const k_after = "#include \"header.h\"\nvoid f() {\n  g = 2;\n}\n";

class Cache : public testing::Test {
protected:
  Cache() {
    m_project.keep_cache();
    m_files = {{"a.cpp", k_after}, {"header.h", k_header}};
  }

  Impact collect() {
    m_project.set(m_files);
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // what was just written is not kept
    return m_project.impact({{"a.cpp", k_before}, {"header.h", k_header}}, m_files);
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_project.path(".reex/cache")))
      found.push_back(entry.path());
    return found;
  }
  // The result without what tells of the cache.
  static std::string result(Impact impact) {
    impact.units_cached = 0;
    return impact_json(impact);
  }

  ScratchProject m_project;
  ScratchProject::Files m_files;
};

TEST_F(Cache, SecondRunParsesNothing) {
  const Impact cold = collect();
  EXPECT_EQ(cold.units_cached, 0U);
  EXPECT_EQ(entries().size(), 2U); // one of each side
  const Impact warm = collect();
  EXPECT_EQ(warm.units_cached, warm.units_parsed);
  EXPECT_GT(warm.units_cached, 0U);
  EXPECT_EQ(result(warm), result(cold));
  EXPECT_TRUE(fs::exists(m_project.path(".reex/.gitignore")));
}

// The second unit is parsed until a pipe ends that it includes.
TEST_F(Cache, UnitIsKeptWhileTheNextOneIsParsed) {
  m_project.write("a.cpp", "int a;\n");
  m_project.write("b.cpp", "#include \"pipe.h\"\n");
  m_project.write("file.h", "int b;\n");
  const std::string pipe = m_project.path("pipe.h");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // what was just written is not kept
  const auto unit = [&](const char* name) {
    return impact::ParseJob{m_project.path(name), m_project.root(), {}};
  };
  const std::string folder = m_project.path(".reex/cache");
  std::vector<impact::UnitFacts> parsed;
  std::jthread parser([&] {
    impact::FactsCache cache(folder);
    parsed = impact::parse_units({unit("a.cpp"), unit("b.cpp")}, {}, 1, cache);
  });
  impact::FactsCache reader(folder);
  bool kept = false;
  for (int i = 0; i < 1000 && !kept; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kept = reader.find(unit("a.cpp"), {}).has_value();
  }
  const int end = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  fs::rename(m_project.path("file.h"), pipe); // for whoever reads it from now on
  EXPECT_EQ(write(end, "int b;\n", 7), 7);
  close(end);
  parser.join();
  EXPECT_TRUE(kept);
  ASSERT_EQ(parsed.size(), 2U);
  EXPECT_TRUE(parsed[1].parsed);
}

TEST_F(Cache, ChangedHeaderIsParsedAgain) {
  collect();
  m_files["header.h"] = replaced(k_header, "inline int g;", "inline int g;\ninline int h;");
  m_files["a.cpp"] = replaced(k_after, "g = 2", "g = 2; h = 3");
  const Impact impact = collect();
  EXPECT_EQ(impact.units_cached, 0U);
  EXPECT_TRUE(has_field(impact, "", "h")) << listing(impact);
}

// Clang does not take all that the compiler of the test takes. An error is a fact of the contents, too.
TEST_F(Cache, AUnitWithAnErrorIsKept) {
  m_files["a.cpp"] = std::string(k_after) + "void h() { undeclared(1); }\n";
  const Impact cold = collect();
  EXPECT_EQ(cold.units_failed, 1U) << listing(cold);
  const Impact warm = collect();
  EXPECT_EQ(warm.units_cached, 1U);
  EXPECT_EQ(warm.units_failed, 1U);
  EXPECT_EQ(result(warm), result(cold));
}

TEST_F(Cache, AUnitWithoutAHeaderIsNot) {
  m_files["a.cpp"] = "#include \"missing.h\"\n" + std::string(k_after);
  EXPECT_EQ(collect().units_failed, 1U);
  EXPECT_EQ(collect().units_failed, 1U);
  m_files["missing.h"] = "#pragma once\n";
  EXPECT_EQ(collect().units_failed, 0U);
}

TEST_F(Cache, HeaderThatIsFoundEarlierIsSeen) {
  m_files.erase("header.h");
  m_files["late/header.h"] = k_header;
  m_project.search({"early", "late"});
  const Impact first = collect();
  EXPECT_TRUE(has_field(first, "", "g")) << listing(first);
  m_files["early/header.h"] = "#pragma once\nstruct S { static inline int g; };\nusing namespace std;\n"
                              "inline int& g = S::g;\n";
  EXPECT_EQ(collect().units_cached, 0U);
}

TEST_F(Cache, DamagedEntriesAreReplaced) {
  const Impact cold = collect();
  for (const fs::path& entry : entries()) {
    std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(entry) / 2));
    file.put('\x7f').put('\x01').put('\x7e');
  }
  const Impact again = collect();
  EXPECT_EQ(again.units_cached, 0U);
  EXPECT_EQ(result(again), result(cold));
  for (const fs::path& entry : entries()) fs::resize_file(entry, 10);
  EXPECT_EQ(collect().units_cached, 0U);
  const Impact warm = collect();
  EXPECT_EQ(warm.units_cached, warm.units_parsed);
}

TEST_F(Cache, LinksAreNotFollowed) {
  ScratchProject elsewhere;
  fs::create_directory(m_project.path(".reex"));
  fs::create_directory_symlink(elsewhere.root(), m_project.path(".reex/cache"));
  collect();
  EXPECT_TRUE(fs::is_empty(elsewhere.root()));
}

TEST_F(Cache, OldestEntriesLeave) {
  ScratchProject project;
  project.write("a.cpp", "int g;\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::string folder = project.path(".reex/cache");
  impact::UnitFacts facts;
  facts.main_file = project.path("a.cpp");
  facts.parsed = true;
  facts.read = {project.path("a.cpp")};
  facts.included.assign(1, std::string(1000, 'x'));
  impact::FactsCache cache(folder, 5000);
  for (int i = 0; i < 20; ++i) {
    const impact::ParseJob job{project.path("a.cpp"), project.root(), {"-DN=" + std::to_string(i)}};
    cache.keep(job, {}, facts, std::chrono::system_clock::now());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::uintmax_t size = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) size += entry.file_size();
  EXPECT_LE(size, 5000U);
  EXPECT_GT(size, 0U);
  const auto has = [&](int i) {
    return cache.find({project.path("a.cpp"), project.root(), {"-DN=" + std::to_string(i)}}, {}).has_value();
  };
  EXPECT_TRUE(has(19));
  EXPECT_FALSE(has(0));
}

} // namespace
} // namespace reex::test
