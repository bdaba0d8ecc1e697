#include "tests/runtime/tool.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reex::tool {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "reex-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  m_path = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string describe(const Ran& ran) {
  return "$ " + ran.command + "\n" + ran.output + "\nended with " + std::to_string(ran.status);
}

Running::Running(const Folder& folder, const Words& command, const Variables& environment)
    : m_output(folder / "output.txt"), m_report(folder / "report.json"),
      m_start(std::chrono::steady_clock::now()) {
  fs::remove(m_report);
  for (const std::string& word : command) m_ran.command += (m_ran.command.empty() ? "" : " ") + word;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  m_pid = fork();
  if (m_pid < 0) throw std::runtime_error("no process could be made");
  if (m_pid != 0) return;
  setpgid(0, 0);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const int out = open(m_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in = open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  if (chdir(folder.path().c_str()) != 0) _exit(126);
  execv(words[0], words.data());
  _exit(127);
}

Running::~Running() {
  if (!m_ended) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
}

std::string Running::output() const { return read_file(m_output); }

void Running::end(int status) {
  m_ended = true;
  m_ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ran Running::wait(std::chrono::seconds limit) {
  int status = 0;
  while (waitpid(m_pid, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - m_start > limit) {
      kill(m_pid, SIGKILL);
      waitpid(m_pid, &status, 0);
      break;
    }
    std::this_thread::sleep_for(1ms);
  }
  end(status);
  m_ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  m_ran.output = output();
  m_ran.report = nlohmann::json::parse(read_file(m_report), nullptr, false);
  return m_ran;
}

std::string reex_binary() {
  const char* chosen = std::getenv("REEX_BINARY");
  return chosen != nullptr ? chosen : REEX_DEFAULT_BINARY;
}

Words explore_command(const Folder& folder, const Words& options, const Words& program) {
  Words words{reex_binary(), "--format", "text,json:" + (folder / "report.json").string(), "-o",
              folder.path().string()};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(program.at(0));
  if (program.size() > 1) words.push_back("--");
  words.insert(words.end(), program.begin() + 1, program.end());
  return words;
}

Ran explore(const Folder& folder, const Words& options, const Words& program, const Variables& environment) {
  return Running(folder, explore_command(folder, options, program), environment).wait();
}

Ran command(const Folder& folder, const Words& words, const Variables& environment) {
  Words all{reex_binary()};
  all.insert(all.end(), words.begin(), words.end());
  return Running(folder, all, environment).wait();
}

Outcomes outcomes_of(const nlohmann::json& report) {
  Outcomes outcomes;
  if (!report.is_object()) return outcomes;
  for (const nlohmann::json& outcome : report.at("outcomes")) {
    std::string text = outcome.at("stdout");
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (text.ends_with(' ')) text.pop_back();
    if (!outcome.at("exit").is_null() && outcome.at("exit") != 0)
      text += " (exit " + outcome.at("exit").dump() + ")";
    else if (!outcome.at("failure").is_null())
      text += " (" + outcome.at("failure").get<std::string>() + ")";
    outcomes[text] = {outcome.at("count"), outcome.at("preemptions")};
  }
  return outcomes;
}

std::map<std::string, unsigned> fewest_preemptions_of(const nlohmann::json& report) {
  std::map<std::string, unsigned> fewest;
  for (const auto& [text, seen] : outcomes_of(report)) fewest[text] = seen.preemptions;
  return fewest;
}

unsigned first_seed() {
  const char* given = std::getenv("REEX_SEED");
  return given == nullptr ? 1 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

void PrintTo(const Seen& seen, std::ostream* out) {
  *out << seen.count << " times, " << seen.preemptions << " preemptions";
}

std::vector<pid_t> processes_with(const std::string& word) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read_file(entry.path() / "cmdline").find(word) != std::string::npos) found.push_back(std::stoi(name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> schedule_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".reex") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace reex::tool
