#include "impact/facts/facts_text.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace reex::impact {
namespace {

// One description of each type serves both directions: `Archive` is a Writer or a Reader.
class Writer {
public:
  static constexpr bool k_reads = false;

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) m_bytes.push_back(static_cast<char>(value | 0x80));
    m_bytes.push_back(static_cast<char>(value));
  }
  // A text is written once; then its number stands for it.
  void text(const std::string& value) {
    const auto [place, fresh] = m_texts.try_emplace(value, m_texts.size());
    number(place->second);
    if (!fresh) return;
    number(value.size());
    m_bytes += value;
  }
  std::string take() { return std::move(m_bytes); }

private:
  std::string m_bytes;
  std::map<std::string, std::size_t> m_texts;
};

class Reader {
public:
  static constexpr bool k_reads = true;

  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    throw std::runtime_error("number");
  }
  const std::string& text() {
    const std::uint64_t index = number();
    if (index > m_texts.size()) throw std::runtime_error("text");
    if (index == m_texts.size()) m_texts.emplace_back(take(number()));
    return m_texts[index];
  }
  bool at_end() const { return m_rest.empty(); }

private:
  std::string_view take(std::uint64_t size) {
    if (size > m_rest.size()) throw std::runtime_error("end");
    const std::string_view part = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return part;
  }

  std::string_view m_rest;
  std::vector<std::string> m_texts;
};

template <typename Number>
requires std::is_integral_v<Number>
void visit(Writer& to, Number& value) { to.number(static_cast<std::uint64_t>(value)); }
template <typename Number>
requires std::is_integral_v<Number>
void visit(Reader& from, Number& value) { value = static_cast<Number>(from.number()); }
void visit(Writer& to, Shape::Kind& value) { to.number(static_cast<std::uint64_t>(value)); }
void visit(Reader& from, Shape::Kind& value) { value = static_cast<Shape::Kind>(from.number()); }
void visit(Writer& to, std::string& value) { to.text(value); }
void visit(Reader& from, std::string& value) { value = from.text(); }

template <typename Archive>
void visit(Archive& archive, Extent& value) {
  visit(archive, value.begin_line);
  visit(archive, value.begin_column);
  visit(archive, value.end_line);
  visit(archive, value.end_column);
}
template <typename Archive>
void visit(Archive& archive, Field& value) {
  visit(archive, value.class_name);
  visit(archive, value.name);
  visit(archive, value.any_class);
}
template <typename Archive>
void visit(Archive& archive, Function& value) {
  visit(archive, value.extent);
  visit(archive, value.class_name);
  visit(archive, value.method);
  visit(archive, value.usr);
  visit(archive, value.lambda);
}
template <typename Archive>
void visit(Archive& archive, Class& value) {
  visit(archive, value.extent);
  visit(archive, value.name);
}
template <typename Archive>
void visit(Archive& archive, Access& value) {
  visit(archive, value.line);
  visit(archive, value.column);
  visit(archive, value.field);
}
template <typename Archive>
void visit(Archive& archive, Call& value) {
  visit(archive, value.line);
  visit(archive, value.column);
  visit(archive, value.usr);
  visit(archive, value.name);
  visit(archive, value.dependent);
}
template <typename Archive>
void visit(Archive& archive, Region::Gap& value) {
  visit(archive, value.first);
  visit(archive, value.last);
}
template <typename Archive>
void visit(Archive& archive, Region& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.lock);
  visit(archive, value.taken);
  visit(archive, value.gaps);
}
template <typename Archive>
void visit(Archive& archive, HalfRegion& value) {
  visit(archive, value.line);
  visit(archive, value.takes);
  visit(archive, value.lock);
}
template <typename Archive>
void visit(Archive& archive, ObjectLife& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.until);
  visit(archive, value.destructor);
}
template <typename Archive>
void visit(Archive& archive, Declaration& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.field);
  visit(archive, value.class_name);
  visit(archive, value.method);
  visit(archive, value.usr);
}
template <typename Archive>
void visit(Archive& archive, Use& value) {
  visit(archive, value.line);
  visit(archive, value.usr);
  visit(archive, value.name);
}

template <typename Archive>
void visit(Archive& archive, Decision& value) {
  visit(archive, value.from);
  visit(archive, value.to);
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.body);
  visit(archive, value.loop);
}
template <typename Archive>
void visit(Archive& archive, FieldWrite& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.line);
  visit(archive, value.column);
  visit(archive, value.field);
  visit(archive, value.fresh);
}
template <typename Archive>
void visit(Archive& archive, Start& value) {
  visit(archive, value.line);
  visit(archive, value.usr);
  visit(archive, value.name);
  visit(archive, value.handed);
  visit(archive, value.first);
  visit(archive, value.last);
}
template <typename Archive>
void visit(Archive& archive, GuardedCall& value) {
  visit(archive, value.line);
  visit(archive, value.usr);
  visit(archive, value.name);
}
template <typename Archive>
void visit(Archive& archive, Attempt& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.end);
}

// Declared before their use by the containers of containers.
template <typename Archive>
void visit(Archive& archive, LocalValue& value);
template <typename Archive>
void visit(Archive& archive, Shape& value);
template <typename Archive>
void visit(Archive& archive, Node& value);
template <typename Archive>
void visit(Archive& archive, FileFacts& value);
template <typename Item>
void visit(Writer& to, std::vector<Item>& values);
template <typename Item>
void visit(Reader& from, std::vector<Item>& values);
template <typename Item>
void visit(Writer& to, std::set<Item>& values);
template <typename Item>
void visit(Reader& from, std::set<Item>& values);

template <typename Item>
void visit(Writer& to, std::vector<Item>& values) {
  to.number(values.size());
  for (Item& item : values) visit(to, item);
}
template <typename Item>
void visit(Reader& from, std::vector<Item>& values) {
  for (std::uint64_t left = from.number(); left > 0; --left) visit(from, values.emplace_back());
}
template <typename Item>
void visit(Writer& to, std::set<Item>& values) {
  to.number(values.size());
  for (const Item& item : values) visit(to, const_cast<Item&>(item)); // a Writer changes nothing
}
template <typename Item>
void visit(Reader& from, std::set<Item>& values) {
  for (std::uint64_t left = from.number(); left > 0; --left) {
    Item item{};
    visit(from, item);
    values.insert(values.end(), std::move(item));
  }
}
template <typename Key, typename Item>
void visit(Writer& to, std::map<Key, Item>& values) {
  to.number(values.size());
  for (auto& [key, item] : values) {
    visit(to, const_cast<Key&>(key)); // as above
    visit(to, item);
  }
}
template <typename Key, typename Item>
void visit(Reader& from, std::map<Key, Item>& values) {
  for (std::uint64_t left = from.number(); left > 0; --left) {
    Key key{};
    visit(from, key);
    visit(from, values[std::move(key)]);
  }
}

template <typename Archive>
void visit(Archive& archive, LocalValue& value) {
  visit(archive, value.set_on);
  visit(archive, value.used_on);
}
template <typename Archive>
void visit(Archive& archive, Shape& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.usr);
  visit(archive, value.name);
  visit(archive, value.text);
  visit(archive, value.kind);
  visit(archive, value.overrides);
}
template <typename Archive>
void visit(Archive& archive, Node& value) {
  visit(archive, value.first);
  visit(archive, value.last);
  visit(archive, value.declares);
  visit(archive, value.owner);
  visit(archive, value.is_type);
  visit(archive, value.is_root);
  visit(archive, value.generic);
  visit(archive, value.scope);
  visit(archive, value.names);
  visit(archive, value.head);
  visit(archive, value.lacks);
  visit(archive, value.test);
}
template <typename Archive>
void visit(Archive& archive, FileFacts& value) {
  visit(archive, value.functions);
  visit(archive, value.classes);
  visit(archive, value.accesses);
  visit(archive, value.calls);
  visit(archive, value.positions);
  visit(archive, value.regions);
  visit(archive, value.half_regions);
  visit(archive, value.lives);
  visit(archive, value.statements);
  visit(archive, value.declarations);
  visit(archive, value.shapes);
  visit(archive, value.uses);
  visit(archive, value.nodes);
  visit(archive, value.decisions);
  visit(archive, value.values);
  visit(archive, value.orders);
  visit(archive, value.results);
  visit(archive, value.writes);
  visit(archive, value.given);
  visit(archive, value.waits);
  visit(archive, value.indirect);
  visit(archive, value.starts);
  visit(archive, value.guarded);
  visit(archive, value.jumps);
  visit(archive, value.throws);
  visit(archive, value.attempts);
}
template <typename Archive>
void visit(Archive& archive, UnitFacts& value) {
  visit(archive, value.main_file);
  visit(archive, value.files);
  visit(archive, value.included);
  visit(archive, value.read);
  visit(archive, value.problem);
  visit(archive, value.misses_file);
  visit(archive, value.parsed);
}

} // namespace

std::string to_bytes(const UnitFacts& facts) {
  Writer writer;
  visit(writer, const_cast<UnitFacts&>(facts)); // a Writer changes nothing
  return writer.take();
}

std::optional<UnitFacts> facts_of_bytes(std::string_view bytes) {
  try {
    Reader reader(bytes);
    UnitFacts facts;
    visit(reader, facts);
    if (reader.at_end()) return facts;
  } catch (const std::runtime_error&) { // not what a Writer writes
  }
  return std::nullopt;
}

} // namespace reex::impact
