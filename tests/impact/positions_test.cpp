// The hard requirement on matching: g++ and clang++, at -O0 and -O2, give the same bits at each operation.
// The samples contain all forms of accesses to a member. access_groups.h has the measured columns of the
// compilers.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "impact/facts/parse.h"
#include "impact/matcher.h"
#include "tests/impact/compiled_sample.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

using impact::Field;

const char* const k_synchronization = R"(#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
#include <pthread.h>
struct In { std::atomic<int> c{0}; int z = 0; std::mutex im; std::atomic<int> arr[4]; void bump() { c++; z++; } };
std::atomic<int> glob{0}; static std::mutex gm;
template <class T> struct Box {
  std::mutex m; std::deque<T> q; std::atomic<int> size{0};
  void put(T v) {
    std::lock_guard<std::mutex> l(m);
    q.push_back(v);
    size++;
  }
};
void take(int, int);
struct Out {
  In in; In* pin; Out* next; std::atomic<int> n{0}; std::atomic<bool> stop{false}; Box<int> box;
  std::vector<std::atomic<int>> va; std::atomic<In*> head{nullptr}; int plain = 0; bool ready = false;
  std::mutex mu, mu2; std::shared_mutex sm; std::condition_variable cv; pthread_mutex_t pm;
  void f(int i);
  void locks(Out& o);
  void lambdas();
};
void Out::f(int i) {
  in.c++;
  ++in.c;
  pin->c++;
  pin->c += 2;
  next->pin->c.load();
  next->next->n.store(in.c);
  if (in.c == 3) i++;
  if (pin->c > n) i++;
  if (stop || n) i++;
  if (n && !stop && pin->c == 4) i++;
  i = n + in.c;
  i = n;
  int k = pin->c;
  while (n.load() != in.c.load()) i++;
  in.arr[i]++;
  pin->arr[i].store(3);
  in.arr[k].fetch_add(n);
  i = n ? in.c : pin->c;
  i = stop ? 1 : 2;
  glob++;
  glob = i;
  va[i]++;
  In* h = head.load();
  while (!head.compare_exchange_weak(h, pin)) {}
  auto& r = pin->c;
  r++;
  r.load();
  head.load()->c++;
  n = in.c = 4;
  n.store(n.load() + plain);
  n.store(in.c.load(), std::memory_order_relaxed);
  (void)n.exchange(in.c.exchange(pin->c.exchange(3)));
  switch (n) { case 1: i++; }
  for (int j = 0; j < n; j++) i++;
  for (int j = n; j-- > 0;) in.c -= j;
  do { i++; } while (in.c < 4 && !stop);
  take(n.load(),
       in.c.load());
  if (n.load() > 1 &&
      in.c.load() < 3)
    i++;
  std::atomic_fetch_add(&n, 1);
  return void(n++);
}
void Out::locks(Out& o) {
  { std::lock_guard<std::mutex> l(mu); plain++; }
  { std::lock_guard l{o.mu}; plain++; }
  { std::unique_lock<std::mutex> l(mu, std::try_to_lock); plain++; }
  { std::scoped_lock l(mu); plain++; }
  { std::shared_lock l(sm); plain++; }
  { auto l = std::unique_lock(mu); plain++; }
  mu.lock(); mu.unlock();
  if (mu.try_lock()) mu.unlock();
  std::unique_lock<std::mutex> l(pin->im);
  cv.wait(l);
  cv.notify_all();
  next->cv.notify_one();
  cv.wait(l, [this] { return ready; });
  l.unlock();
  sm.lock_shared();
  sm.unlock_shared();
  pthread_mutex_lock(&pm);
  pthread_mutex_unlock(&o.pm);
  { std::lock_guard<std::mutex> g(gm); plain++; }
  std::lock_guard<std::mutex> last(
      o.mu2);
}
void Out::lambdas() {
  std::mutex lm;
  std::atomic<int> la{0};
  std::thread t([&] {
    std::lock_guard<std::mutex> l(lm);
    la++;
    la.store(n.load());
  });
  la.fetch_add(2);
  t.join();
  std::atomic<int> lb{0};
  int lbc = 1;
  std::thread u([&, lbc] {
    lb.fetch_add(lbc);
  });
  u.join();
  auto lam = [this](int i) { n += i; return n.load(); };
  n.store(lam(3));
}
template struct Box<int>;
)";

const char* const k_plain = R"(#include <memory>
#include <string>
#include <vector>
struct P { int x; int y; P* next; };
int one(int); int two(int, int);
struct Q {
  int m = 0, k = 0, a[4]; bool f = false; double d = 0; P p; P* pp; Q* q; std::unique_ptr<P> up; std::vector<int> v;
  static int st;
  int run(Q& o, int i);
};
int Q::run(Q& o, int i) {
  m++;
  o.m = k;
  m = k + 1;
  m += k;
  a[i] = k;
  a[i]++;
  p.x = p.y;
  pp->next->x = 3;
  if (m > 3) k = 1;
  if (f) k = 2;
  one(m);
  one(o.k);
  one(pp->x);
  one(m + k);
  two(m, o.k);
  two(one(m), k);
  one(-m);
  i = m;
  int z = k;
  i = z ? m : k;
  d = m;
  f = !f;
  q->q->m = 3;
  st = m;
  one(st);
  up->x = m;
  for (int& r : v) r = k;
  if (m && k) i++;
  auto& ref = o.m;
  ref = 5;
  this->m = (*this).k;
  return m;
}
)";

// What each build does on each line: the sets of fields that its operations of one kind access.
using Seen = std::map<unsigned, std::map<std::string, std::set<std::set<std::string>>>>;

// A sample is compiled once for all of its tests.
struct Sample {
  ScratchProject project;
  impact::UnitFacts facts;
  std::vector<Build> builds;

  explicit Sample(const char* text) {
    project.write("sample.cpp", text);
    facts = impact::parse_unit({project.path("sample.cpp"), project.root(), {"-std=c++20"}}, {});
    builds = build_four_times(project.path("sample.cpp"), project.root());
  }
};

class Positions : public ::testing::Test {
protected:
  void load(const char* text) {
    static std::map<const char*, Sample> samples;
    const Sample& sample = samples.try_emplace(text, text).first->second;
    ASSERT_EQ(sample.facts.problem, "");
    m_builds = sample.builds;
    std::set<Field> fields;
    for (const auto& [path, facts] : sample.facts.files) {
      for (const auto& [extent, accessed] : facts.positions) fields.insert(accessed.begin(), accessed.end());
    }
    for (const Field& field : fields) {
      impact::ImpactedSets sets;
      sets.fields[field] = {"", {}};
      m_matchers[field.name] = impact::matcher(sets, sample.facts.files);
    }
  }

  std::set<std::string> fields_at(const Frame& frame) const {
    std::set<std::string> found;
    for (const auto& [name, matcher] : m_matchers) {
      if ((matcher.frame_bits(frame) & k_match_field) != 0) found.insert(name);
    }
    return found;
  }

  static std::string text(const std::map<std::string, std::set<std::set<std::string>>>& seen) {
    std::string words;
    for (const auto& [build, sets] : seen) {
      words += "\n  " + build + ":";
      for (const auto& set : sets) {
        words += " {";
        for (const std::string& name : set) words += " " + name;
        words += " }";
      }
    }
    return words;
  }

  std::map<std::string, CodePoints> m_matchers;
  std::vector<Build> m_builds;
};

TEST_F(Positions, SynchronizationMatchesTheSameFieldsInAllBuilds) {
  load(k_synchronization);
  Seen seen;
  for (const Build& build : m_builds) {
    for (const Operation& operation : build.operations) {
      if (operation.kind != Operation::Kind::synchronization || operation.frame.line == 0) continue;
      seen[operation.frame.line][build.name].insert(fields_at(operation.frame));
    }
  }
  const unsigned first = line_of(k_synchronization, "in.c++;");
  const unsigned last = line_of(k_synchronization, "n.store(lam(3))");
  unsigned lines = 0;
  for (auto& [line, builds] : seen) {
    if (line < first || line > last) continue;
    // The end of a block releases its locks. This is not an access of a field, in any build.
    for (auto& [name, sets] : builds) sets.erase(std::set<std::string>{});
    std::set<std::set<std::set<std::string>>> different;
    for (const auto& [name, sets] : builds) {
      if (!sets.empty()) different.insert(sets);
    }
    EXPECT_LE(different.size(), 1U) << "line " << line << text(builds);
    if (!different.empty()) ++lines;
  }
  EXPECT_GE(lines, 60U);
}

TEST_F(Positions, SynchronizationMatchesTheFieldThatIsMeant) {
  load(k_synchronization);
  struct Row {
    const char* line;
    std::set<std::string> fields;
  };
  const Row rows[] = {
      {"  next->pin->c.load();", {"c"}},
      {"  pin->c += 2;", {"c"}},
      {"  in.c++;", {"c", "in"}},
      {"  glob++;", {"glob"}},
      {"  va[i]++;", {"va"}},
      {"  r.load();", {"c"}},
      {"  cv.notify_all();", {"cv"}},
      {"  { std::lock_guard l{o.mu};", {"mu"}},
      {"  { std::shared_lock l(sm);", {"sm"}},
      {"  pthread_mutex_lock(&pm);", {"pm"}},
      {"  cv.wait(l);", {"cv", "im"}},
      {"    size++;", {"size"}},
      {"    std::lock_guard<std::mutex> l(m);", {"m"}},
      {"    la++;", {"Out::lambdas()::la"}},
      {"  la.fetch_add(2);", {"Out::lambdas()::la"}},
      {"    lb.fetch_add(lbc);", {"Out::lambdas()::lb"}},
  };
  for (const Row& row : rows) {
    const unsigned line = line_of(k_synchronization, row.line);
    for (const Build& build : m_builds) {
      std::set<std::string> found;
      for (const Operation& operation : build.operations) {
        if (operation.kind != Operation::Kind::synchronization || operation.frame.line != line) continue;
        found.merge(fields_at(operation.frame));
      }
      EXPECT_EQ(found, row.fields) << build.name << " " << row.line;
    }
  }
}

TEST_F(Positions, PlainAccessesMatchTheSameFieldsWithBothCompilers) {
  load(k_plain);
  Seen seen;
  for (const Build& build : m_builds) {
    if (build.name.find("-O0") == std::string::npos) continue;
    for (const Operation& operation : build.operations) {
      const std::set<std::string> fields = fields_at(operation.frame);
      if (!fields.empty()) seen[operation.frame.line][build.name].insert(fields);
    }
  }
  unsigned lines = 0;
  const unsigned first = line_of(k_plain, "  m++;");
  for (const auto& [line, builds] : seen) {
    if (line < first) continue;
    ++lines;
    ASSERT_EQ(builds.size(), 2U) << "line " << line << text(builds);
    // For `m += k`, clang reads m and then writes it; g++ may not read it separately. So this compares all
    // accesses together.
    std::set<std::set<std::string>> unions;
    for (const auto& [name, sets] : builds) {
      std::set<std::string> all;
      for (const auto& set : sets) all.insert(set.begin(), set.end());
      unions.insert(all);
    }
    EXPECT_EQ(unions.size(), 1U) << "line " << line << text(builds);
  }
  EXPECT_GE(lines, 28U);
}

TEST_F(Positions, AllBitsOfAChangeAreTheSameInAllBuilds) {
  // The change deletes the lock of Box::put, edits one line of a statement of two, and edits a lambda.
  const std::string before = k_synchronization;
  std::string after = replaced(before, "    std::lock_guard<std::mutex> l(m);\n", "");
  after = replaced(after, "take(n.load(),", "take(n.load() + 0,");
  after = replaced(after, "    la++;\n", "    la += 2;\n");
  ScratchProject project;
  const Impact impact = project.impact({{"sample.cpp", before}}, {{"sample.cpp", after}});
  ASSERT_TRUE(has_field(impact, "Box", "m")) << listing(impact);
  m_builds = build_four_times(project.path("sample.cpp"), project.root());
  std::map<unsigned, std::map<std::string, std::set<unsigned>>> seen;
  unsigned bits_seen = 0;
  for (const Build& build : m_builds) {
    for (const Operation& operation : build.operations) {
      if (operation.kind != Operation::Kind::synchronization) continue;
      const unsigned bits = impact.matcher.frame_bits(operation.frame);
      bits_seen |= bits;
      seen[operation.frame.line][build.name].insert(bits);
    }
  }
  EXPECT_EQ(bits_seen, unsigned(k_match_class | k_match_method | k_match_line | k_match_field));
  const unsigned split = line_of(after, "take(n.load() + 0,");
  Frame frame;
  frame.file = project.path("sample.cpp");
  for (const unsigned line : {split, split + 1}) {
    frame.line = line;
    EXPECT_TRUE((impact.matcher.frame_bits(frame) & k_match_line) != 0) << line;
  }
  for (const auto& [line, builds] : seen) {
    if (line < line_of(after, "in.c++;")) continue;
    std::set<unsigned> all;
    for (const auto& [name, bits] : builds) {
      // The end of a block, which releases locks, is on the same line as accesses.
      unsigned most = 0;
      for (const unsigned value : bits) most |= value;
      all.insert(most);
    }
    EXPECT_EQ(all.size(), 1U) << "line " << line;
  }
}

} // namespace
} // namespace reex::test
