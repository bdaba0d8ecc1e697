// A program that is compiled for a test.
#pragma once

#include <string>

namespace reex::test {

// Compiles the text with a command such as "g++ -O2 -g", in its own temporary folder. The destructor removes
// the folder.
class Compiled {
public:
  Compiled(const std::string& compiler, const std::string& text, const std::string& link_options = "");
  ~Compiled();
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  bool ok() const { return m_ok; }
  std::string source() const { return m_folder + "/program.cpp"; }
  std::string binary() const { return m_folder + "/program"; }
  std::string output() const; // runs the program

private:
  std::string m_folder;
  bool m_ok = false;
};

} // namespace reex::test
