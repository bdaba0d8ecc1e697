#include "tests/impact/marked_commit.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

struct Sides {
  ScratchProject::Files before;
  ScratchProject::Files after;
  std::string lines; // the marked ones, as text
};

Sides sides_of(const std::map<std::string, std::string>& marked) {
  Sides sides;
  for (const auto& [name, text] : marked) {
    std::string before;
    std::string after;
    unsigned number = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const std::string code = line.substr(1) + "\n";
      if (line.front() != '+') before += code;
      if (line.front() == '-') continue;
      after += code;
      ++number;
      if (line.ends_with("//!") || line.ends_with("//!\r"))
        sides.lines += name + ":" + std::to_string(number) + " " + line.substr(1) + "\n";
    }
    if (!before.empty()) sides.before[name] = before;
    if (!after.empty()) sides.after[name] = after;
  }
  return sides;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string qualified(const std::string& owner, const std::string& name) {
  return owner.empty() ? name : owner + "::" + name;
}

std::string lines_of(const Impact& impact, const ScratchProject::Files& after) {
  std::set<std::pair<std::string, unsigned>> places;
  for (const CodePoint& point : impact.points)
    if (point.line != 0) places.emplace(point.file, point.line);
  std::string text;
  for (const auto& [file, number] : places) {
    std::istringstream lines(after.contains(file) ? after.at(file) : "");
    std::string line;
    for (unsigned i = 0; i < number; ++i) std::getline(lines, line);
    text += file + ":" + std::to_string(number) + " " + line + "\n";
  }
  return text;
}

} // namespace

Impact expect_impact(const std::map<std::string, std::string>& marked, const ExpectedImpact& expected) {
  const Sides sides = sides_of(marked);
  ScratchProject project;
  Impact impact = project.impact(sides.before, sides.after);
  std::set<std::string> methods;
  std::set<std::string> classes;
  std::set<std::string> fields;
  for (const CodePoint& point : impact.points) {
    if (!point.field.empty()) {
      fields.insert(qualified(point.any_class ? "<any>" : point.class_name, point.field));
      continue;
    }
    if (!point.method.empty()) methods.insert(qualified(point.class_name, point.method));
    if (!point.class_name.empty()) classes.insert(point.class_name);
  }
  EXPECT_EQ(lines_of(impact, sides.after), sides.lines) << listing(impact);
  EXPECT_EQ(joined(methods), expected.methods) << listing(impact);
  EXPECT_EQ(joined(classes), expected.classes) << listing(impact);
  EXPECT_EQ(joined(fields), expected.fields) << listing(impact);
  EXPECT_TRUE(impact.notes.empty() || impact.no_points || impact.no_cpp_changes) << listing(impact);
  return impact;
}

} // namespace reex::test
