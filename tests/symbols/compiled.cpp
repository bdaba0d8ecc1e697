#include "tests/symbols/compiled.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace reex::test {

namespace fs = std::filesystem;

Compiled::Compiled(const std::string& compiler, const std::string& text, const std::string& link_options) {
  std::string pattern = (fs::temp_directory_path() / "reex-symbols-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return;
  m_folder = fs::canonical(pattern).string();
  std::ofstream(source()) << text;
  const std::string command =
      "cd " + m_folder + " && " + compiler + " program.cpp -o program " + link_options;
  m_ok = std::system(command.c_str()) == 0;
}

Compiled::~Compiled() {
  std::error_code error;
  fs::remove_all(m_folder, error);
}

std::string Compiled::output() const {
  FILE* pipe = popen(binary().c_str(), "r");
  if (pipe == nullptr) return "";
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  pclose(pipe);
  return output;
}

} // namespace reex::test
