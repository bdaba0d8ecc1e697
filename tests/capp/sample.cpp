#include "sample.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reex::capp_test {
namespace {

// The change moves the check out of the locked section.
constexpr const char* k_before = R"(#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

class Journal {
public:
  void note() { m_entries.fetch_add(1); }
  int entries() const { return m_entries.load(); }

private:
  std::atomic<int> m_entries{0};
};

class Account {
public:
  explicit Account(Journal& journal) : m_journal(journal) {}

  void withdraw() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_balance.load() > 0) m_balance.store(m_balance.load() - 1);
    m_journal.note();
  }

  void close() {
    std::unique_lock<std::mutex> lock(m_mutex);
    m_closed = true;
    m_journal.note();
    m_done.notify_one();
    m_journal.note();
  }

  void wait() {
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_closed) m_done.wait(lock);
    m_journal.note();
    m_done.notify_one();
  }

  int balance() const { return m_balance.load(); }

private:
  Journal& m_journal;
  std::mutex m_mutex;
  std::condition_variable m_done;
  bool m_closed = false;
  std::atomic<int> m_balance{1};
};

int main() {
  Journal journal;
  Account account(journal);
  std::thread first([&] {
    account.withdraw();
    journal.note();
    account.wait();
  });
  std::thread second([&] {
    journal.note();
    account.withdraw();
    journal.note();
    account.wait();
  });
  account.close();
  first.join();
  second.join();
  std::printf("%d %d\n", account.balance(), journal.entries());
}
)";

std::string changed() {
  std::string text = k_before;
  const std::string locked = "    std::lock_guard<std::mutex> lock(m_mutex);\n    if (m_balance.load() > 0)";
  text.replace(text.find(locked), locked.size(), "    if (m_balance.load() > 0)");
  return text;
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

void must(const std::string& command) {
  if (run(command) != 0) throw std::runtime_error("failed: " + command);
}

} // namespace

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void build(const Sample& sample, const std::string& compiler) {
  const std::string folder = "'" + sample.folder.string() + "'";
  must("cd " + folder + " && " + compiler + " -std=c++20 $(" REEX_BINARY " flags --compile) " + folder +
       "/account.cpp -o test $(" REEX_BINARY " flags --link)");
}

Sample make_sample(const std::string& name, const std::string& also_touch) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("reex-capp-" + name + "-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string git = "git -C '" + folder.string() + "' -c user.name=t -c user.email=t@t ";
  write(folder / "account.cpp", k_before);
  write(folder / ".gitignore", "test\n.reex/\n*.json\n");
  must(git + "init -q && " + git + "add -A && " + git + "commit -qm before");
  write(folder / "account.cpp", changed());
  must(git + "commit -qam after");
  if (!also_touch.empty()) {
    write(folder / also_touch, "Nothing of the program.\n");
    must(git + "add -A && " + git + "commit -qm unrelated");
  }
  const Sample sample{folder, folder / "test"};
  build(sample, "g++ -O1");
  write(folder / "compile_commands.json",
        "[{\"directory\":\"" + folder.string() + "\",\"file\":\"" + folder.string() +
            "/account.cpp\",\"command\":\"g++ -std=c++20 -O1 -c " + folder.string() + "/account.cpp\"}]\n");
  return sample;
}

} // namespace reex::capp_test
