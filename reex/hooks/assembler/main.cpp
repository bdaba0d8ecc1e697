// The assembler that g++ calls, for what reex flags --compile prints: it adds the hooks of announce.h to the
// assembly, and hands the rest, as it is, to the real assembler.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "reex/hooks/assembler/announce.h"

namespace fs = std::filesystem;

namespace {

// The first `as` of the compiler's and the user's paths that is not this one.
std::string real_assembler() {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  for (const char* const variable : {"COMPILER_PATH", "PATH"}) {
    const char* const value = std::getenv(variable);
    std::string_view rest = value == nullptr ? "" : value;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const fs::path candidate = fs::path(rest.substr(0, end)) / "as";
      rest.remove_prefix(std::min(end + 1, rest.size()));
      std::error_code error;
      if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate, error) &&
          !fs::equivalent(candidate, self, error))
        return candidate;
    }
  }
  return "/usr/bin/as";
}

std::string contents(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The text becomes standard input.
bool hand_over(const std::string& text) {
  const int file = memfd_create("assembly", MFD_CLOEXEC);
  if (file < 0) return false;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO;
}

} // namespace

int main(int count, char** arguments) {
  std::vector<char*> passed(arguments, arguments + count);
  // g++ names what it has made last.
  const std::string_view input = count > 1 ? arguments[count - 1] : "";
  const bool is_stdin = input == "-";
  const bool is_file = input.ends_with(".s");
  bool is_for_64_bits = true;
  for (const std::string_view argument : passed) is_for_64_bits &= argument != "--32" && argument != "--x32";
  if ((is_stdin || is_file) && is_for_64_bits) {
    std::ifstream file;
    if (is_file) file.open(arguments[count - 1]);
    if (is_stdin || file) {
      const std::string text = contents(is_stdin ? std::cin : file);
      const std::string announced = reex::announce_accesses(text);
      if (is_stdin || announced != text) {
        if (!hand_over(announced)) {
          std::perror("reex: the assembly cannot be handed to the assembler");
          return 1;
        }
        passed.back() = const_cast<char*>("-");
      }
    }
  }
  passed.push_back(nullptr);
  const std::string assembler = real_assembler();
  execv(assembler.c_str(), passed.data());
  std::fprintf(stderr, "reex: the assembler '%s' cannot be started: %s\n", assembler.c_str(),
               std::strerror(errno));
  return 1;
}
