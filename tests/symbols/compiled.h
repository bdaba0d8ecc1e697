// A program compiled for a test.
#pragma once

#include <string>

namespace reex::test {

// Compiles the text with a command such as "g++ -O2 -g" in a temporary folder of its own, removed at the end.
class Compiled {
public:
  Compiled(const std::string& compiler, const std::string& text, const std::string& link_options = "");
  ~Compiled();
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  bool ok() const { return m_ok; }
  std::string source() const { return m_folder + "/program.cpp"; }
  std::string binary() const { return m_folder + "/program"; }
  std::string output() const; // of a run

private:
  std::string m_folder;
  bool m_ok = false;
};

} // namespace reex::test
