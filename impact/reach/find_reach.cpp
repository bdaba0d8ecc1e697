#include "impact/reach/find_reach.h"

#include <algorithm>

#include "impact/reach/graph.h"

namespace reex::impact {
namespace {

using Lines = std::vector<std::string>;

// "queue.h:12"
std::string place_of(const std::string& root, const std::string& file, unsigned line) {
  const std::string name = file.starts_with(root + "/") ? file.substr(root.size() + 1) : file;
  return name + ":" + std::to_string(line);
}

class Finder {
public:
  Finder(const CodePoints& points, const std::string& root) : m_points(points), m_root(root) {}

  // A file of the new side. `changed`: its changed lines.
  void add_now(const std::string& file, const std::set<Node>& nodes, const Lines& code,
               const std::set<unsigned>& changed) {
    const std::size_t first = m_nodes.size();
    add(file, nodes, code);
    for (std::size_t i = first; i < m_nodes.size(); ++i) {
      const Node& node = m_nodes[i].node;
      m_nodes[i].impacted = has_line(node, changed) || m_points.touches(file, node.first, node.last);
    }
    check_lines(first, file, code, changed, "changed");
  }

  // A file of the old side. What is not there any more may have been what a name meant.
  void add_before(const std::string& file, const std::set<Node>& nodes, const Lines& code,
                  const std::set<unsigned>& removed) {
    const std::size_t first = m_nodes.size();
    add(file, nodes, code);
    check_lines(first, file, code, removed, "removed");
    for (std::size_t i = m_nodes.size(); i-- > first;) {
      m_nodes[i].impacted = has_line(m_nodes[i].node, removed);
      if (!m_nodes[i].impacted) m_nodes.erase(m_nodes.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void give_up(const std::string& why) {
    if (m_unknown.empty()) m_unknown = why;
  }

  Reach find(std::set<std::string> defined) {
    Reach reach;
    reach.unknown = m_unknown;
    if (!reach.unknown.empty()) return reach;
    Graph graph(std::move(m_nodes), std::move(defined));
    reach.cases = graph.cases();
    if (const Reached& roots = graph.roots(); !roots.nothing_impacted()) {
      reach.unknown =
          roots.impacted != nullptr
              ? "every test may run what is impacted at " + place_of(*roots.impacted)
              : "every test may run code that is not in the parsed sources, by " + place_of(*roots.open);
      return reach;
    }
    reach.program_out_of_reach = true;
    for (const std::string& test : reach.cases)
      if (graph.of_case(test).nothing_impacted()) reach.out_of_reach.insert(test);
    return reach;
  }

private:
  std::string place_of(const GraphNode& node) const {
    return impact::place_of(m_root, node.file, node.node.first);
  }

  void add(const std::string& file, const std::set<Node>& nodes, const Lines& code) {
    for (const Node& node : nodes) m_nodes.push_back({node, file, &code});
    for (Node& macro : macros_of(code)) m_nodes.push_back({std::move(macro), file, &code});
  }

  static bool has_line(const Node& node, const std::set<unsigned>& lines) {
    const auto line = lines.lower_bound(node.first);
    return line != lines.end() && *line <= node.last;
  }

  // Code outside of declarations, as an #include, may change what any name means.
  void check_lines(std::size_t first, const std::string& file, const Lines& code,
                   const std::set<unsigned>& lines, const char* what) {
    for (const unsigned line : lines) {
      if (line < 1 || line > code.size() || code[line - 1].empty()) continue;
      const bool known = std::any_of(
          m_nodes.begin() + static_cast<std::ptrdiff_t>(first), m_nodes.end(),
          [&](const GraphNode& node) { return node.node.first <= line && line <= node.node.last; });
      if (!known)
        give_up("code outside of functions, classes and variables was " + std::string(what) + " at " +
                impact::place_of(m_root, file, line));
    }
  }

  const CodePoints& m_points;
  const std::string& m_root;
  std::vector<GraphNode> m_nodes;
  std::string m_unknown;
};

const std::set<Node>& nodes_of(const Program& program, const std::string& file) {
  static const std::set<Node> none;
  const auto found = program.find(file);
  return found == program.end() ? none : found->second.nodes;
}

} // namespace

Reach find_reach(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                 const CodePoints& points, const std::string& root,
                 const std::function<const Lines&(const std::string& file)>& code) {
  Finder finder(points, root);
  std::map<std::string, const FileLines*> changed;
  for (const FileLines& lines : changes)
    if (!lines.new_path.empty()) changed[lines.new_path] = &lines;
  std::set<std::string> defined;
  for (const auto& [file, facts] : now) {
    const auto change = changed.find(file);
    finder.add_now(file, facts.nodes, code(file),
                   change == changed.end() ? std::set<unsigned>() : change->second->changed);
    for (const Function& function : facts.functions) defined.insert(function.usr);
  }
  for (const FileLines& lines : changes) {
    if (!lines.changed.empty() && !now.contains(lines.new_path))
      finder.give_up(lines.new_path + " was changed, and is in no parsed source of the test");
    if (!lines.removed.empty())
      finder.add_before(lines.old_path, nodes_of(before, lines.old_path), lines.old_code, lines.removed);
  }
  return finder.find(std::move(defined));
}

} // namespace reex::impact
