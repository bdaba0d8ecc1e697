// Which libraries have nothing to do with threads.
#include <gtest/gtest.h>

#include <string>

#include "reex/symbols/threadless.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

bool threadless(const std::string& compiler, const std::string& text) {
  const Compiled library(compiler + " -std=c++20 -O2 -fPIC -shared -pthread", text);
  EXPECT_TRUE(library.ok()) << compiler << text;
  const auto linkage = read_linkage(library.binary());
  EXPECT_TRUE(linkage) << text;
  return linkage && is_threadless(library.binary(), *linkage);
}

TEST(Threadless, IsWhatComputes) {
  for (const char* compiler : {"g++", "clang++"})
    for (const char* text : {
             "int twice(int x) { return 2 * x; }",
             "#include <string>\nstd::string same(const std::string& x) { return x + x; }",
             "#include <vector>\nint sum(const std::vector<int>& v) { int s = 0; for (int x : v) s += x; "
             "return s; }",
             "#include <cstdio>\nint made(); int get() { static const int once = made(); return once; }",
             "long bytes() { return 0x11b10ff0; }",
         })
      EXPECT_TRUE(threadless(compiler, text)) << compiler << text;
}

TEST(Threadless, IsNothingThatMayOrderThreads) {
  for (const char* compiler : {"g++", "clang++"})
    for (const char* text : {
             "#include <atomic>\nstd::atomic<int> n; void f() { ++n; }",
             "#include <atomic>\nstd::atomic<int> n; void f() { n = 3; }", // an exchange
             "#include <atomic>\nvoid f() { std::atomic_thread_fence(std::memory_order_seq_cst); }",
             "#include <mutex>\nstd::mutex m; void f() { std::lock_guard l(m); }",
             "#include <thread>\nvoid f() { std::this_thread::yield(); }",
             "#include <thread>\nvoid f() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }",
             "#include <memory>\nstd::shared_ptr<int> f(std::shared_ptr<int>& p) { return p; }",
             "#include <unistd.h>\n#include <sys/syscall.h>\nlong f() { return syscall(SYS_gettid); }",
             "long f() { long r; asm volatile(\"syscall\" : \"=a\"(r) : \"a\"(24) : \"rcx\", \"r11\"); "
             "return r; }",
         })
      EXPECT_FALSE(threadless(compiler, text)) << compiler << text;
}

TEST(Threadless, IsNothingThatCannotBeRead) { EXPECT_FALSE(is_threadless("/nowhere/lib.so", {})); }

} // namespace
} // namespace reex::test
