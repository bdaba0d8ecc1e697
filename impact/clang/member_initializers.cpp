#include "impact/clang/member_initializers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "impact/clang/clang_names.h"
#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

std::string code(UserFiles& files, const Position& begin, unsigned end) {
  std::string text;
  for (const std::string& line : code_of_lines(files.text(begin.file, begin.offset, end))) text += line + ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string class_name(CXCursor class_definition) {
  const std::string name = spelling(class_definition);
  return name.substr(0, name.find('<'));
}

std::vector<CXCursor> fields_of(CXCursor class_definition) {
  std::vector<CXCursor> fields = children_of(class_definition);
  std::erase_if(fields, [](CXCursor child) { return clang_getCursorKind(child) != CXCursor_FieldDecl; });
  return fields;
}

// An array's size and a bit field's width are expressions as well, so this goes by the text: an = or a brace
// that is in no parentheses.
bool has_default(UserFiles& files, CXCursor field) {
  int depth = 0;
  for (const char c : code(files, position_of(clang_getCursorLocation(field)), end_of(field).offset)) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth <= 0 && (c == '=' || c == '{')) return true;
  }
  return false;
}

// Whether a member that nobody initializes runs a constructor, or may do so in an instance of the template.
bool is_object(CXCursor field) {
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  for (CXType of = clang_getArrayElementType(type); of.kind != CXType_Invalid;
       of = clang_getArrayElementType(type))
    type = of;
  return type.kind == CXType_Record || type.kind == CXType_Unexposed;
}

// What the constructor says itself.
struct Written {
  std::set<std::string> members; // usrs
  std::set<unsigned> lines;      // of their initializers
  bool initializes = false;      // a member or a base
  bool delegates = false;
  std::optional<Position> body;
};

Written written_in(CXCursor constructor) {
  Written found;
  const unsigned name = position_of(clang_getCursorLocation(constructor)).offset;
  const std::string owner = usr_of(clang_getCursorSemanticParent(constructor));
  for (const CXCursor child : children_of(constructor)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_MemberRef) {
      found.initializes = true;
      found.members.insert(usr_of(clang_getCursorReferenced(child)));
      found.lines.insert(begin_of(child).line);
    } else if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt) {
      found.body = begin_of(child);
    } else if ((kind == CXCursor_TypeRef || kind == CXCursor_TemplateRef) && begin_of(child).offset > name) {
      found.initializes = true;
      found.delegates = found.delegates || usr_of(clang_getCursorReferenced(child)) == owner;
    }
  }
  return found;
}

class Collector {
public:
  Collector(UserFiles& files, Program& program) : m_files(files), m_program(program) {}

  // What is declared in the class is told with the class, so that each unit with its file knows it.
  void class_definition(CXCursor cursor) {
    const auto fields = fields_of(cursor);
    Shape order = shape(cursor, order_of(cursor), Shape::Kind::order);
    for (const CXCursor field : fields) {
      if (has_default(m_files, field)) {
        Shape fact = shape(cursor, initializer_of(field), Shape::Kind::initializer);
        fact.first = extent_of(field).begin_line;
        fact.last = extent_of(field).end_line;
        fact.text = code(m_files, begin_of(field), end_of(field).offset);
        add(begin_of(field).file, std::move(fact));
      }
      if (order.text.empty()) order.first = extent_of(field).begin_line;
      order.last = extent_of(field).end_line;
      order.text += spelling(field) + ' ';
    }
    if (fields.empty()) return;
    add(begin_of(fields.front()).file, std::move(order));
    const auto children = children_of(cursor);
    if (std::any_of(children.begin(), children.end(), is_constructor)) return;
    const Position place = position_of(clang_getCursorLocation(cursor));
    initialize(cursor, {}, place.file, {place.line});
  }

  void constructor(CXCursor cursor) {
    const Written written = written_in(cursor);
    const bool defaulted = clang_CXXMethod_isDefaulted(cursor) != 0;
    // A copy that the compiler makes runs none, and a constructor that is deleted or only declared neither.
    if (written.delegates || (!written.body && !defaulted) ||
        (defaulted && (clang_CXXConstructor_isCopyConstructor(cursor) != 0 ||
                       clang_CXXConstructor_isMoveConstructor(cursor) != 0)))
      return;
    const Position name = position_of(clang_getCursorLocation(cursor));
    initialize(clang_getCursorSemanticParent(cursor), written, name.file, places(name, written));
  }

  void list(CXCursor cursor) {
    const CXCursor type = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
    if (!is_class(clang_getCursorKind(type))) return;
    const CXCursor pattern = clang_getSpecializedCursorTemplate(type);
    const CXCursor owner = clang_getCursorDefinition(clang_Cursor_isNull(pattern) ? type : pattern);
    if (clang_Cursor_isNull(owner) || m_files.path(begin_of(owner).file) == nullptr) return;
    std::size_t given = 0;
    std::set<std::string> named;
    for (const CXCursor child : children_of(cursor)) {
      ++given;
      for (const CXCursor part : children_of(child))
        if (clang_getCursorKind(part) == CXCursor_MemberRef)
          named.insert(usr_of(clang_getCursorReferenced(part)));
    }
    const Position place = begin_of(cursor);
    left_out(owner, named, named.empty() ? given : 0, place.file, {place.line});
  }

private:
  // The members behind the first `given` ones, but for those that are named.
  void left_out(CXCursor owner, const std::set<std::string>& named, std::size_t given, CXFile file,
                const std::set<unsigned>& lines) {
    const auto children = children_of(owner);
    if (std::any_of(children.begin(), children.end(), is_constructor)) return;
    given -= std::min<std::size_t>(given, std::count_if(children.begin(), children.end(), [](CXCursor child) {
                                     return clang_getCursorKind(child) == CXCursor_CXXBaseSpecifier;
                                   }));
    for (const CXCursor field : fields_of(owner)) {
      if (given > 0) {
        --given;
      } else if (!named.contains(usr_of(field)) && has_default(m_files, field)) {
        use(file, lines, initializer_of(field));
      }
    }
  }

  // Where the code of members that the constructor does not name is: with g++ on the last line before the
  // body, or on that of the brace if the constructor names none; with clang, that of constructors of members
  // is on the line of the name.
  std::set<unsigned> places(const Position& name, const Written& written) {
    std::set<unsigned> lines{name.line};
    if (!written.body) return lines;
    unsigned line = written.body->line;
    if (written.initializes) {
      const auto head = code_of_lines(m_files.text(name.file, name.offset, written.body->offset));
      for (unsigned i = 0; i < head.size(); ++i)
        if (!head[i].empty()) line = name.line + i;
    }
    lines.insert(line);
    return lines;
  }

  void initialize(CXCursor owner, const Written& written, CXFile file, const std::set<unsigned>& lines) {
    unsigned named = 0;
    unsigned unnamed = 0;
    for (const CXCursor field : fields_of(owner)) {
      if (written.members.contains(usr_of(field))) {
        ++named;
      } else if (has_default(m_files, field)) {
        ++unnamed;
        use(file, lines, initializer_of(field));
      } else if (is_object(field)) {
        ++unnamed;
      }
    }
    if (named + unnamed < 2) return;
    if (unnamed != 0) use(file, lines, order_of(owner));
    use(file, written.lines, order_of(owner));
  }

  static std::string initializer_of(CXCursor field) { return usr_of(field) + "#initializer"; }
  static std::string order_of(CXCursor class_definition) { return usr_of(class_definition) + "#order"; }

  static Shape shape(CXCursor owner, std::string usr, Shape::Kind kind) {
    Shape fact;
    fact.usr = std::move(usr);
    fact.name = class_name(owner);
    fact.kind = kind;
    return fact;
  }

  void add(CXFile file, Shape fact) {
    if (const std::string* path = m_files.path(file); path != nullptr && !fact.usr.starts_with('#'))
      m_program[*path].shapes.insert(std::move(fact));
  }

  void use(CXFile file, const std::set<unsigned>& lines, const std::string& usr) {
    const std::string* path = m_files.path(file);
    if (path == nullptr || usr.starts_with('#')) return;
    for (const unsigned line : lines) m_program[*path].uses.insert({line, usr, ""});
  }

  UserFiles& m_files;
  Program& m_program;
};

} // namespace

bool is_constructor(CXCursor cursor) {
  return clang_getCursorKind(cursor) == CXCursor_Constructor ||
         (clang_getCursorKind(cursor) == CXCursor_FunctionTemplate &&
          clang_getTemplateCursorKind(cursor) == CXCursor_Constructor);
}

void collect_member_initializers(CXCursor cursor, UserFiles& files, Program& program) {
  Collector collector(files, program);
  if (clang_getCursorKind(cursor) == CXCursor_InitListExpr) {
    collector.list(cursor);
  } else if (is_constructor(cursor)) {
    collector.constructor(cursor);
  } else {
    collector.class_definition(cursor);
  }
}

} // namespace reex::impact
