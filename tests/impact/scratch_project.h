// A project in a temporary folder, with a repository in memory. It has two versions of some files, of which
// the new one is on disk, and a compile_commands.json for its sources.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "git/fake_repository.h"
#include "impact/impact.h"

namespace reex::test {

class ScratchProject {
public:
  using Files = std::map<std::string, std::string>;

  ScratchProject();
  ~ScratchProject();
  ScratchProject(const ScratchProject&) = delete;
  ScratchProject& operator=(const ScratchProject&) = delete;

  const std::string& root() const { return m_root; }
  std::string path(const std::string& name) const { return m_root + "/" + name; }

  void write(const std::string& name, const std::string& text) const;
  void write_compile_commands(const std::vector<std::string>& sources) const;

  // Writes those of the files that are not there with this text.
  void set(const Files& files) const;
  void search(std::vector<std::string> folders) { m_searched = std::move(folders); } // besides the root
  void keep_cache() { m_cache = true; }
  void find_reach() { m_reach = true; }

  // The impact of the change from one set of files to the other. The sources are the *.cpp files of both.
  Impact impact(const Files& before, const Files& after);

private:
  std::string m_root;
  std::vector<std::string> m_searched;
  bool m_cache = false;
  bool m_reach = false;
};

bool has_line(const Impact& impact, const std::string& file, unsigned line);
bool has_field(const Impact& impact, const std::string& class_name, const std::string& field);
bool has_method(const Impact& impact, const std::string& class_name, const std::string& method);
// The points, one on each line, for messages.
std::string listing(const Impact& impact);

// The number of the first line that contains the text.
unsigned line_of(const std::string& text, const std::string& part);
// The text without the lines that contain the part.
std::string without(const std::string& text, const std::string& part);
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace reex::test
