#include "impact/users.h"

#include <algorithm>
#include <sstream>

#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

constexpr const char* k_changed = "uses a changed declaration";
constexpr const char* k_removed = "used a removed declaration";
constexpr const char* k_type = "has another type";
constexpr const char* k_another = "uses another declaration";

bool touches(const std::set<unsigned>& lines, unsigned first, unsigned last) {
  const auto line = lines.lower_bound(first);
  return line != lines.end() && *line <= last;
}

// The first old line of a deletion between two lines of the new side; 0 if there is none.
unsigned deletion_within(const FileLines& change, unsigned first, unsigned last) {
  const auto place = change.deletions.lower_bound(first);
  return place == change.deletions.end() || place->first >= last ? 0 : place->second;
}

bool touched(const FileLines& change, const Shape& shape) {
  return touches(change.changed, shape.first, shape.last) ||
         deletion_within(change, shape.first, shape.last) != 0;
}

// Whether two lists of names have those that are in both in the same order.
bool same_order(const std::string& some, const std::string& others) {
  const auto names_also_in = [](const std::string& list, const std::string& other) {
    std::istringstream names(list);
    std::string common;
    for (std::string name; names >> name;)
      if (has_word(other, name)) common += name + ' ';
    return common;
  };
  return names_also_in(some, others) == names_also_in(others, some);
}

// Whether the declaration is what it was on the other side, which had these texts. What was not there had no
// other order of its members, and no other arguments.
bool is_among(const std::set<std::string>& texts, const Shape& shape) {
  const bool is_order = shape.kind == Shape::Kind::order;
  if (texts.empty() && (is_order || shape.kind == Shape::Kind::arguments || shape.kind == Shape::Kind::type))
    return true;
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return is_order ? same_order(text, shape.text) : text == shape.text;
  });
}

// What it leaves when it goes is as it was.
bool goes_unnoticed(const Shape& shape) {
  return shape.kind == Shape::Kind::initializer || shape.kind == Shape::Kind::order ||
         shape.kind == Shape::Kind::arguments || shape.kind == Shape::Kind::type;
}

// What the change did to a declaration of the new side, or else to the enumeration that it is in, as the end
// of a chain.
Chain what_changed(const FileLines& change, const FileFacts& facts, const Shape& shape) {
  if (!touched(change, shape)) {
    for (const Shape& whole : facts.shapes)
      if (whole.kind == Shape::Kind::enumeration && whole.first <= shape.first && shape.last <= whole.last &&
          touched(change, whole))
        return what_changed(change, facts, whole);
  }
  const auto line = change.changed.lower_bound(shape.first);
  if (line != change.changed.end() && *line <= shape.last) return {{"changed", "", change.new_path, *line}};
  return {{"removed", "", change.old_path, deletion_within(change, shape.first, shape.last), true}};
}

// Whether another one makes lines mean something else on which it is named.
bool gives_meaning(const Shape& shape) {
  return shape.kind == Shape::Kind::alias || shape.kind == Shape::Kind::bases;
}

// Whether it is the usr of something in a function, of a lambda or of a template's parameter, which has an
// offset.
bool tells_the_place(const std::string& usr) {
  std::istringstream parts(usr);
  for (std::string part; std::getline(parts, part, '@');)
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos) return true;
  return false;
}

// Whether the type of a variable elsewhere may be another one because of it: what the compiler executes, and
// the specialization of a template.
bool decides_types(const std::string& usr) {
  return usr.ends_with("#value") || usr.find(">#") != std::string::npos;
}

const FileFacts& facts_of(const Program& program, const std::string& path) {
  static const FileFacts nothing;
  const auto found = program.find(path);
  return found == program.end() ? nothing : found->second;
}

// An enumerator follows from those before it, so a change of the enumeration touches all of them.
template <typename Touched>
std::vector<const Shape*> touched_shapes(const FileFacts& facts, const Touched& is_touched) {
  std::vector<const Shape*> found;
  std::vector<const Shape*> enumerations;
  for (const Shape& shape : facts.shapes)
    if (shape.kind == Shape::Kind::enumeration && is_touched(shape)) enumerations.push_back(&shape);
  for (const Shape& shape : facts.shapes) {
    const bool inside = std::any_of(enumerations.begin(), enumerations.end(), [&](const Shape* whole) {
      return whole->first <= shape.first && shape.last <= whole->last;
    });
    if (inside || is_touched(shape)) found.push_back(&shape);
  }
  return found;
}

class Search {
public:
  Search(const std::vector<FileLines>& changes, const Program& now, const Program& before)
      : m_changes(changes), m_now(now), m_before(before) {
    for (const FileLines& change : changes) {
      for (const Shape& shape : facts_of(now, change.new_path).shapes)
        m_new_texts[shape.usr].insert(shape.text);
      for (const Shape& shape : facts_of(before, change.old_path).shapes)
        m_old_texts[shape.usr].insert(shape.text);
    }
    for (const auto& [file, facts] : now)
      for (const Shape& shape : facts.shapes) m_declared.insert(shape.usr);
  }

  Users run(const ChainedLines& macros) {
    for (const FileLines& change : m_changes) {
      for (const Shape* shape : touched_shapes(facts_of(m_now, change.new_path),
                                               [&](const Shape& one) { return touched(change, one); }))
        if (!is_among(m_old_texts[shape->usr], *shape))
          has_changed(*shape, {change.new_path, false},
                      what_changed(change, facts_of(m_now, change.new_path), *shape));
      for (const Shape* shape : touched_shapes(facts_of(m_before, change.old_path), [&](const Shape& one) {
             return touches(change.removed, one.first, one.last);
           })) {
        if (!m_declared.contains(shape->usr)) {
          is_removed(*shape, change.old_path);
        } else if (const auto& texts = m_new_texts[shape->usr]; !texts.empty() && !is_among(texts, *shape)) {
          const auto line = change.removed.lower_bound(shape->first);
          has_changed(
              *shape, {change.old_path, true},
              {{"removed", "", change.old_path, line == change.removed.end() ? shape->first : *line, true}});
        }
      }
    }
    find_other_types();
    for (const auto& [file, lines] : macros)
      for (const auto& [line, why] : lines) declared_with(file, line, why);
    for (std::size_t i = 0; i < m_pending.size(); ++i) find_users(Changed(m_pending[i]));
    for (const auto& [file, facts] : m_now) find_other_meanings(file, facts);
    return std::move(m_users);
  }

private:
  // A changed declaration, and the chain of a line that uses it.
  struct Changed {
    std::string usr;
    Chain why;
  };
  struct Side {
    std::string file;
    bool old = false;
  };
  struct UsePlace {
    const std::string* file;
    unsigned line;
    bool in_library; // a call of the library's
  };

  void has_changed(const Shape& shape, const Side& side, const Chain& why) {
    const Chain use = behind({k_changed, shape.name, side.file, shape.first, side.old}, why);
    add(shape.usr, shape.name, use);
    if (gives_meaning(shape)) m_users.aliases.insert(shape.name);
    for (const std::string& overridden : shape.overrides) add(overridden, shape.name, use);
  }

  void add(const std::string& usr, const std::string& name, const Chain& why) {
    if (!m_known.insert(usr).second) return;
    m_pending.push_back({usr, why});
    m_users.names.insert(name);
    if (decides_types(usr)) m_users.aliases.insert(name);
  }

  void find_users(const Changed& changed) {
    for (const auto& [index, place] : uses_of(changed)) {
      if (place.in_library) {
        m_users.typed[*place.file].try_emplace(place.line, changed.why);
        continue;
      }
      m_users.lines[*place.file].try_emplace(place.line, changed.why);
      declared_with(*place.file, place.line, changed.why);
    }
  }

  // In the order of the files and their lines.
  std::map<std::size_t, UsePlace> uses_of(const Changed& changed) {
    if (m_uses.empty()) {
      std::size_t index = 0;
      for (const auto& [file, facts] : m_now)
        for (const Use& use : facts.uses)
          m_uses[{use.usr, use.usr.empty() ? use.name : ""}].push_back(
              {index++, {&file, use.line, use.usr.ends_with("#library")}});
    }
    std::map<std::size_t, UsePlace> found;
    for (const auto& key : {std::pair{changed.usr, std::string()}, {"", changed.why.front().name}})
      if (const auto uses = m_uses.find(key); uses != m_uses.end())
        found.insert(uses->second.begin(), uses->second.end());
    return found;
  }

  // A declaration whose text names what has changed has changed too.
  void declared_with(const std::string& file, unsigned line, const Chain& why) {
    for (const Shape& shape : facts_of(m_now, file).shapes) {
      if (shape.kind == Shape::Kind::enumeration || shape.kind == Shape::Kind::order) continue;
      if (line < shape.first || line > shape.last) continue;
      const bool is_number =
          !shape.text.empty() && shape.text.find_first_not_of("-0123456789") == std::string::npos;
      if (is_number || has_word(shape.text, why.front().name)) has_changed(shape, {file, false}, why);
    }
  }

  // Its users are those of the old side, and what now finds another declaration by this name.
  void is_removed(const Shape& shape, const std::string& old_file) {
    if (goes_unnoticed(shape)) return;
    if (gives_meaning(shape)) m_users.aliases.insert(shape.name);
    const Chain why{{k_removed, shape.name, old_file, shape.first, true}};
    m_users.names.insert(shape.name);
    for (const std::string& overridden : shape.overrides) add(overridden, shape.name, why);
    for (const auto& [file, facts] : m_before) {
      for (const Use& use : facts.uses) {
        const bool by_name = use.usr.empty() && use.name == shape.name;
        if (use.usr != shape.usr && !by_name) continue;
        const auto change = std::find_if(m_changes.begin(), m_changes.end(),
                                         [&](const FileLines& one) { return one.old_path == file; });
        const unsigned line = change == m_changes.end() ? use.line : new_line_of(change->hunks, use.line);
        const std::string& path = change == m_changes.end() ? file : change->new_path;
        if (line != 0 && !path.empty()) m_users.lines[path].try_emplace(line, why);
      }
    }
    for (const auto& [file, facts] : m_now) {
      if (m_before.contains(file)) continue;
      for (const Use& use : facts.uses) {
        const bool of_its_class = shape.usr.starts_with(use.usr + '@'); // which a constructor has its name of
        if (use.name == shape.name && !of_its_class) m_users.lines[file].try_emplace(use.line, why);
      }
    }
  }

  // What has another type, although the lines of its declaration may have stayed.
  void find_other_types() {
    std::map<std::string, std::set<std::string>> old_texts;
    for (const auto& [file, facts] : m_before)
      for (const Shape& shape : facts.shapes)
        if (shape.kind == Shape::Kind::type) old_texts[shape.usr].insert(shape.text);
    std::map<std::string, std::set<std::string>> texts;
    for (const auto& [file, facts] : m_now)
      for (const Shape& shape : facts.shapes)
        if (shape.kind == Shape::Kind::type) texts[shape.usr].insert(shape.text);
    for (const auto& [file, facts] : m_now) {
      for (const Shape& shape : facts.shapes) {
        if (shape.kind != Shape::Kind::type) continue;
        const auto old = old_texts.find(shape.usr);
        if (old == old_texts.end() || old->second == texts.at(shape.usr)) continue;
        const Chain why{{k_type, shape.name, file, shape.first}};
        for (unsigned line = shape.first; line <= shape.last; ++line)
          m_users.typed[file].try_emplace(line, why);
        m_users.names.insert(shape.name);
      }
    }
  }

  // The lines that stayed, on which a name no longer means what it meant. A usr begins with the file of what
  // no other unit sees; that may have been moved.
  void find_other_meanings(const std::string& file, const FileFacts& facts) {
    const auto change = std::find_if(m_changes.begin(), m_changes.end(),
                                     [&](const FileLines& one) { return one.new_path == file; });
    const std::string& old_path = change == m_changes.end() ? file : change->old_path;
    using Meanings = std::map<std::pair<unsigned, std::string>, std::set<std::string>>; // line, name -> usrs
    const auto meanings = [](const FileFacts& side) {
      Meanings found;
      for (const Use& use : side.uses)
        if (!use.name.empty() && !tells_the_place(use.usr))
          found[{use.line, use.name}].insert(use.usr.substr(std::min(use.usr.find('@'), use.usr.size())));
      return found;
    };
    const Meanings before = meanings(facts_of(m_before, old_path));
    if (before.empty()) return;
    for (const auto& [place, usrs] : meanings(facts)) {
      const unsigned line = change == m_changes.end() ? place.first : old_line_of(change->hunks, place.first);
      const auto old = before.find({line, place.second});
      if (line == 0 || old == before.end()) continue;
      const auto without = [](const std::set<std::string>& some, const std::set<std::string>& others) {
        return std::any_of(some.begin(), some.end(), [&](const auto& one) { return !others.contains(one); });
      };
      if (without(usrs, old->second) && without(old->second, usrs))
        m_users.lines[file].try_emplace(place.first, Chain{{k_another, place.second, old_path, line, true}});
    }
  }

  const std::vector<FileLines>& m_changes;
  const Program& m_now;
  const Program& m_before;
  std::map<std::string, std::set<std::string>> m_new_texts; // by usr, of the changed files
  std::map<std::string, std::set<std::string>> m_old_texts;
  std::set<std::string> m_declared; // on the new side, in any file
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::size_t, UsePlace>>>
      m_uses; // by usr, or by name where a template does not know yet what it means; made when it is needed
  std::set<std::string> m_known;
  std::vector<Changed> m_pending;
  Users m_users;
};

} // namespace

Users users_of(const std::vector<FileLines>& changes, const Program& now, const Program& before,
               const ChainedLines& macros) {
  return Search(changes, now, before).run(macros);
}

} // namespace reex::impact
