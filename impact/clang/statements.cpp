// The statements of files, from the cursors of libclang. A statement that comes from a macro has a single
// position for libclang; its end is found in the text.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>

#include "impact/clang/clang_names.h"
#include "impact/clang/library.h"
#include "impact/clang/user_files.h"
#include "impact/sources/paths.h"

namespace reex::impact {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Behind the parenthesis that closes the one at `open`; npos if there is none. Literals are skipped.
std::size_t behind_parenthesis(const std::string& text, std::size_t open) {
  unsigned depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string::npos;
}

bool is_control(CXCursorKind kind) {
  return kind == CXCursor_IfStmt || kind == CXCursor_WhileStmt || kind == CXCursor_ForStmt ||
         kind == CXCursor_CXXForRangeStmt || kind == CXCursor_SwitchStmt;
}

bool leaves(CXCursorKind kind) {
  return kind == CXCursor_ReturnStmt || kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt ||
         kind == CXCursor_GotoStmt || kind == CXCursor_CXXThrowExpr;
}

class StatementWalker {
public:
  StatementWalker(const std::string& directory, const std::vector<std::string>& files)
      : m_directory(directory), m_files(files.begin(), files.end()) {}

  void walk(CXCursor unit) {
    for (const CXCursor child : children_of(unit))
      if (where(child).text != nullptr) visit(child, unit);
  }

  std::map<std::string, SourceShape> take() {
    for (auto& [path, shape] : m_shapes) {
      sort_out(shape.statements);
      sort_out(shape.functions);
    }
    return std::move(m_shapes);
  }

private:
  struct Where {
    const std::string* text = nullptr; // null: in none of the files
    SourceShape* shape = nullptr;
    std::size_t begin = 0, end = 0;
  };

  template <typename Of>
  static void sort_out(std::vector<Of>& all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  const std::string* path_of(CXFile file) {
    if (file == nullptr) return nullptr;
    const auto [at, is_new] = m_paths.try_emplace(file);
    if (is_new) at->second = normalized(text_of(clang_getFileName(file)), m_directory);
    return m_files.contains(at->second) ? &at->second : nullptr;
  }

  Where where(CXCursor cursor) {
    Where where;
    const Position begin = begin_of(cursor);
    const Position end = end_of(cursor);
    const std::string* const path = path_of(begin.file);
    if (path == nullptr) return where;
    const auto [text, is_new] = m_texts.try_emplace(*path);
    if (is_new) text->second = read_text(*path);
    where.text = &text->second;
    where.shape = &m_shapes[*path];
    where.begin = begin.offset;
    where.end = end.file == begin.file ? std::max(begin.offset, end.offset) : begin.offset;
    return where;
  }

  // The end of a statement: that of its cursor, of the use of a macro, and its semicolon.
  static std::size_t end_of_statement(const Where& where, CXCursorKind kind) {
    const std::string& text = *where.text;
    std::size_t end = where.end;
    if (end == where.begin || (end < text.size() && text[end] == '(')) {
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
      std::size_t open = end;
      while (open < text.size() && is_space(text[open])) ++open;
      if (open < text.size() && text[open] == '(')
        end = std::min(behind_parenthesis(text, open), text.size());
    }
    if (kind == CXCursor_CompoundStmt || is_control(kind)) {
      if (end > 0 && text[end - 1] == '}') return end;
    }
    if (end > 0 && text[end - 1] == ';') return end;
    // What a macro's use is followed by, as in EXPECT_EQ(a, b) << text;
    unsigned depth = 0;
    for (std::size_t i = end; i < text.size(); ++i) {
      if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
      if (text[i] == ')' || text[i] == '}' || text[i] == ']') {
        if (depth == 0) break;
        --depth;
      }
      if (text[i] == ';' && depth == 0) return i + 1;
    }
    return end;
  }

  void add(const Where& where, CXCursorKind kind, bool in_block) {
    where.shape->statements.push_back({.begin = where.begin,
                                       .end = end_of_statement(where, kind),
                                       .in_block = in_block,
                                       .is_block = kind == CXCursor_CompoundStmt,
                                       .leaves = leaves(kind)});
  }

  // Whether the child of an if or a loop is what it executes, and not its head.
  static bool is_body(const Where& parent, const Where& child, CXCursorKind kind) {
    if (kind == CXCursor_DoStmt)
      return parent.text->compare(child.begin, 1, "(") != 0 && child.begin < parent.end;
    const std::size_t open = parent.text->find('(', parent.begin);
    if (open == std::string::npos) return false;
    const std::size_t behind = behind_parenthesis(*parent.text, open);
    return behind != std::string::npos && child.begin >= behind;
  }

  void visit(CXCursor cursor, CXCursor parent) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const CXCursorKind above = clang_getCursorKind(parent);
    const Where here = where(cursor);
    if (here.text != nullptr) {
      if (above == CXCursor_CompoundStmt) {
        add(here, kind, true);
      } else if (is_control(above)) {
        const Where outer = where(parent);
        if (outer.text == here.text && is_body(outer, here, above)) add(here, kind, false);
      } else if (kind == CXCursor_CompoundStmt) {
        add(here, kind, true);
        if (is_function(above) || above == CXCursor_LambdaExpr) add_function(parent, here);
      }
    }
    for (const CXCursor child : children_of(cursor)) visit(child, cursor);
  }

  void add_function(CXCursor function, const Where& body) {
    const Where all = where(function);
    if (all.text != body.text) return;
    const bool is_lambda = clang_getCursorKind(function) == CXCursor_LambdaExpr;
    body.shape->functions.push_back({.name = is_lambda ? "" : qualified_name(function),
                                     .begin = all.begin,
                                     .body = body.begin,
                                     .end = body.end});
  }

  std::string m_directory;
  std::set<std::string> m_files;
  std::map<CXFile, std::string> m_paths;
  std::map<std::string, std::string> m_texts;
  std::map<std::string, SourceShape> m_shapes;
};

} // namespace

std::map<std::string, SourceShape>
statements_with_libclang(const ParseJob& job, const std::vector<std::string>& files, std::string& problem) {
  std::map<std::string, SourceShape> shapes;
  with_unit(job, {}, [&](CXTranslationUnit unit) {
    if (unit == nullptr) {
      problem = "clang could not parse " + job.file;
      return;
    }
    StatementWalker walker(job.directory, files);
    walker.walk(clang_getTranslationUnitCursor(unit));
    shapes = walker.take();
  });
  return shapes;
}

} // namespace reex::impact
