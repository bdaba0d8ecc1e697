#include "tests/impact/scratch_project.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace reex::test {

namespace fs = std::filesystem;

ScratchProject::ScratchProject() {
  std::string pattern = (fs::temp_directory_path() / "reex-impact-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  m_root = fs::canonical(pattern).string();
}

ScratchProject::~ScratchProject() {
  std::error_code error;
  fs::remove_all(m_root, error);
}

void ScratchProject::write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  std::ofstream(path(name)) << text;
}

void ScratchProject::write_compile_commands(const std::vector<std::string>& sources) const {
  std::ofstream file(path("compile_commands.json"));
  file << "[";
  std::string folders;
  for (const std::string& folder : m_searched) folders += " -I" + folder;
  const char* separator = "\n";
  for (const std::string& source : sources) {
    file << separator << "{\"directory\": \"" << m_root << "\", \"file\": \"" << source
         << "\", \"command\": \"g++ -std=c++20 -g -fsanitize=thread -Wno-odd-option -I." << folders
         << " -o x.o -c " << source << "\"}";
    separator = ",\n";
  }
  file << "]\n";
}

void ScratchProject::set(const Files& files) const {
  for (const auto& [name, text] : files) {
    std::ifstream present(path(name));
    if (std::string(std::istreambuf_iterator<char>(present), {}) != text) write(name, text);
  }
}

Impact ScratchProject::impact(const Files& before, const Files& after) {
  FakeRepository repository(m_root);
  repository.commit(before);
  repository.commit(after);
  std::set<std::string> sources;
  set(after);
  for (const auto& [name, text] : after) {
    if (name.ends_with(".cpp")) sources.insert(name);
  }
  write_compile_commands({sources.begin(), sources.end()});
  ImpactRequest request;
  request.repository = m_root;
  request.base = "HEAD~1";
  request.cache = m_cache;
  request.reach = m_reach;
  return collect_impact(request, repository);
}

bool has_line(const Impact& impact, const std::string& file, unsigned line) {
  return std::any_of(impact.points.begin(), impact.points.end(),
                     [&](const CodePoint& point) { return point.file == file && point.line == line; });
}

bool has_field(const Impact& impact, const std::string& class_name, const std::string& field) {
  return std::any_of(impact.points.begin(), impact.points.end(), [&](const CodePoint& point) {
    return point.class_name == class_name && point.field == field;
  });
}

bool has_method(const Impact& impact, const std::string& class_name, const std::string& method) {
  return std::any_of(impact.points.begin(), impact.points.end(), [&](const CodePoint& point) {
    return point.class_name == class_name && point.method == method;
  });
}

std::string listing(const Impact& impact) {
  std::ostringstream text;
  for (const CodePoint& point : impact.points) {
    text << point.file << ":" << point.line << " <" << point.class_name << ", " << point.method << ", "
         << point.field << "> " << point.why.front().reason << (point.any_class ? " (any class)" : "")
         << "\n";
  }
  for (const std::string& note : impact.notes) text << "note: " << note << "\n";
  return text.str();
}

unsigned line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) throw std::runtime_error("no line has: " + part);
  return 1 + static_cast<unsigned>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string without(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) == std::string::npos) result += line + "\n";
  }
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
  return text.replace(at, from.size(), to);
}

} // namespace reex::test
