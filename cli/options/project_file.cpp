#include "cli/options/project_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

// The whole library is compiled here, and only here.
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "cli/options/option_table.h"
#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"
#include "reex/run/finding_kinds.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

class Reader {
public:
  Reader(std::string name, fs::path root) : m_name(std::move(name)), m_root(std::move(root)) {}

  ProjectFile read(const toml::table& table) {
    for (const auto& [key, node] : table) top_level(key, node);
    return std::move(m_file);
  }

private:
  std::string place(const toml::source_region& region) const {
    return fmt::format("{}:{}:{}", m_name, region.begin.line, region.begin.column);
  }
  std::string place(const toml::node& node) const { return place(node.source()); }
  std::string line(const toml::node& node) const {
    return fmt::format("{}:{}", m_name, node.source().begin.line);
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& key, const std::string& what) const {
    throw UsageError(fmt::format("{}: {}: {}", place(node), key, what));
  }

  [[noreturn]] void unknown(const toml::key& key, const std::string& within,
                            const std::vector<std::string>& known) const {
    const std::string written(key.str());
    throw UsageError(fmt::format("{}: there is no key {} in {}: {}", place(key.source()), written, within,
                                 did_you_mean(written, known, "docs/settings.md names them all")));
  }

  void top_level(const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    if (name == "build") {
      m_file.build = text(node, name);
    } else if (name == "test") {
      for_each_table(node, name, [this](const toml::table& table) { test(table); });
    } else if (name == "suppress") {
      for_each_table(node, name, [this](const toml::table& table) { suppression(table); });
    } else if (node.is_table()) {
      section(key, *node.as_table());
    } else {
      setting(key, name, node, "");
    }
  }

  static bool is_section(const std::string& prefix) {
    const auto rows = option_table();
    return std::any_of(rows.begin(), rows.end(),
                       [&](const OptionRow& row) { return row.setting && row.key().starts_with(prefix); });
  }

  // A table of settings: [hook] holds those whose keys begin with "hook.".
  void section(const toml::key& key, const toml::table& table) {
    const std::string prefix = std::string(key.str()) + '.';
    if (!is_section(prefix)) unknown(key, m_name, {"build", "hook", "suppress", "test"});
    for (const auto& [inner, node] : table) setting(inner, prefix + std::string(inner.str()), node, prefix);
  }

  void setting(const toml::key& key, const std::string& name, const toml::node& node,
               const std::string& prefix) {
    std::vector<std::string> known;
    if (is_section(name + '.'))
      refuse(node, name, a_kind(node) + " is not accepted: write [" + name + "] above its keys");
    for (const OptionRow& row : option_table()) {
      if (row.key() == name && row.setting) {
        add_setting(row, node);
        return;
      }
      if (row.key() == name)
        throw UsageError(fmt::format("{}: {} is an option and no setting: give it on the command line",
                                     place(key.source()), name));
      if (row.setting && row.key().starts_with(prefix)) known.push_back(row.key().substr(prefix.size()));
    }
    if (prefix.empty()) known.insert(known.end(), {"build", "hook", "suppress", "test"});
    unknown(key, prefix.empty() ? m_name : "[" + prefix.substr(0, prefix.size() - 1) + "]", known);
  }

  void add_setting(const OptionRow& row, const toml::node& node) {
    std::string value = value_of(row, node);
    if (value.empty()) refuse(node, row.key(), "it is empty: give a text, or leave it out");
    if (row.is_path()) value = below_root(value);
    if (row.key() == "format") value = formats_below_root(value);
    m_file.settings.push_back({row.key(), value, place(node)});
    Options scratch;
    row.apply(scratch, fmt::format("{}: {}", place(node), row.key()), value);
  }

  // Paths in the file are taken from its folder, wherever reex was called.
  std::string below_root(const std::string& path) const {
    return fs::path(path).is_absolute() ? path : (m_root / path).lexically_normal().string();
  }

  std::string formats_below_root(const std::string& list) const {
    std::string all;
    std::istringstream items(list);
    for (std::string item; std::getline(items, item, ',');) {
      const std::size_t colon = item.find(':');
      const std::string path = colon == std::string::npos ? "" : item.substr(colon + 1);
      if (!path.empty() && path != "-") item = item.substr(0, colon + 1) + below_root(path);
      all += (all.empty() ? "" : ",") + item;
    }
    return all;
  }

  std::string value_of(const OptionRow& row, const toml::node& node) const {
    const std::string_view kind = row.value;
    const bool number = kind == "N" || kind == "D";
    const bool measure = kind == "TIME" || kind == "SIZE";
    if (const auto* string = node.as_string()) return string->get();
    if (const auto* flag = node.as_boolean(); flag != nullptr && kind.empty())
      return flag->get() ? "true" : "false";
    if (const auto* whole = node.as_integer(); whole != nullptr && (number || measure))
      return std::to_string(whole->get());
    if (const auto* real = node.as_floating_point(); real != nullptr && measure)
      return fmt::format("{}", real->get());
    if (kind == "LIST" && node.is_array()) return joined(strings(node, row.key()));
    refuse(node, row.key(),
           fmt::format("{} is not accepted: give {}", a_kind(node),
                       kind.empty()     ? "true or false"
                       : number         ? "a number"
                       : measure        ? "a number or a text in quotes"
                       : kind == "LIST" ? "a text in quotes, or an array of them"
                                        : "a text in quotes"));
  }

  static std::string joined(const std::vector<std::string>& items) {
    std::string all;
    for (const std::string& item : items) all += (all.empty() ? "" : ",") + item;
    return all;
  }

  static std::string a_kind(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a point";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or a time";
    }
  }

  std::string text(const toml::node& node, const std::string& key) const {
    if (const auto* string = node.as_string()) return string->get();
    refuse(node, key, a_kind(node) + " is not accepted: give a text in quotes");
  }

  std::string text_with_content(const toml::node& node, const std::string& key) const {
    std::string value = text(node, key);
    if (value.empty()) refuse(node, key, "it is empty: give a text, or leave it out");
    return value;
  }

  std::vector<std::string> strings(const toml::node& node, const std::string& key) const {
    const auto* array = node.as_array();
    if (array == nullptr)
      refuse(node, key, a_kind(node) + " is not accepted: give an array of texts, as [\"a\"]");
    std::vector<std::string> all;
    for (const toml::node& one : *array) all.push_back(text(one, key));
    return all;
  }

  template <typename Read>
  void for_each_table(const toml::node& node, const std::string& key, Read read) const {
    const auto* array = node.as_array();
    if (array == nullptr ||
        !std::all_of(array->begin(), array->end(), [](const toml::node& one) { return one.is_table(); }))
      refuse(node, key, fmt::format("{} is not accepted: write [[{}]] above its keys", a_kind(node), key));
    for (const toml::node& one : *array) read(*one.as_table());
  }

  void test(const toml::table& table) {
    TestEntry entry;
    entry.where = line(table);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name")
        entry.name = text_with_content(node, name);
      else if (name == "binary")
        entry.binary = text_with_content(node, name);
      else if (name == "arguments")
        entry.arguments = strings(node, name);
      else if (name == "folder")
        entry.folder = text_with_content(node, name);
      else if (name == "filter")
        entry.filter = text_with_content(node, name);
      else if (name == "environment")
        entry.environment = variables(node);
      else if (name == "sources")
        entry.sources = strings(node, name);
      else
        unknown(key, "[[test]]",
                {"name", "binary", "arguments", "folder", "filter", "environment", "sources"});
    }
    if (entry.binary.empty()) refuse(table, "test", "it has no binary: give binary = \"PATH\"");
    if (entry.name.empty()) entry.name = fs::path(entry.binary).filename().string();
    for (const TestEntry& other : m_file.tests)
      if (other.name == entry.name)
        refuse(table, "test",
               fmt::format("{} is also the name of the test at {}: give name = \"ANOTHER\"", entry.name,
                           other.where));
    m_file.tests.push_back(std::move(entry));
  }

  std::vector<std::pair<std::string, std::string>> variables(const toml::node& node) const {
    const auto* table = node.as_table();
    if (table == nullptr)
      refuse(node, "environment", a_kind(node) + " is not accepted: give a table, as { NAME = \"value\" }");
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      if (name.empty() || name.find('=') != std::string::npos)
        refuse(value, "environment", fmt::format("'{}' is no name of a variable", name));
      const auto* number = value.as_integer();
      all.emplace_back(name, number != nullptr ? std::to_string(number->get()) : text(value, name));
    }
    return all;
  }

  void suppression(const toml::table& table) {
    Suppression one;
    one.where = line(table);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "kind")
        one.kind = kind_of_failure(node);
      else if (name == "key")
        one.key = failure_key(node);
      else if (name == "function")
        one.function = text_with_content(node, name);
      else if (name == "file")
        one.file = text_with_content(node, name);
      else if (name == "reason")
        one.reason = text_with_content(node, name);
      else if (name == "expires")
        one.expires = date(node);
      else
        unknown(key, "[[suppress]]", {"kind", "key", "function", "file", "reason", "expires"});
    }
    if (one.reason.empty()) refuse(table, "suppress", "it has no reason: give reason = \"WHY\"");
    if (one.key.empty() && one.function.empty() && one.file.empty())
      refuse(table, "suppress", "it does not say what it is about: give a key, a function or a file");
    m_file.suppressions.push_back(std::move(one));
  }

  std::string kind_of_failure(const toml::node& node) const {
    const std::string kind = text(node, "kind");
    if (const FindingRow* row = row_of_finding(kind); row != nullptr) return std::string(row->failure);
    std::vector<std::string> known;
    for (const std::string_view one : failure_kinds()) known.emplace_back(one);
    if (std::find(known.begin(), known.end(), kind) != known.end()) return kind;
    std::string accepted;
    for (const std::string& one : known) accepted += (accepted.empty() ? "" : ", ") + one;
    refuse(
        node, "kind",
        fmt::format("there is no kind '{}': {}", kind, did_you_mean(kind, known, "give one of " + accepted)));
  }

  std::string failure_key(const toml::node& node) const {
    const std::string key = text(node, "key");
    constexpr std::size_t k_fewest = 8;
    constexpr std::size_t k_most = 12;
    if (key.size() < k_fewest || key.size() > k_most ||
        key.find_first_not_of("0123456789abcdef") != std::string::npos)
      refuse(node, "key",
             fmt::format("'{}' is no key: give the 8 to 12 digits (0-9, a-f) that the report shows", key));
    return key;
  }

  std::string date(const toml::node& node) const {
    const auto* local = node.as_date();
    const std::string value = local != nullptr ? fmt::format("{:04}-{:02}-{:02}", local->get().year,
                                                             local->get().month, local->get().day)
                                               : text(node, "expires");
    if (!is_date(value))
      refuse(node, "expires", fmt::format("'{}' is no date: give one as 2027-01-31", value));
    return value;
  }

  static bool is_date(const std::string& text) {
    int year = 0;
    int month = 0;
    int day = 0;
    int read = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &read) != 3) return false;
    constexpr std::array k_days = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return read == 10 && text.size() == 10 && month >= 1 && month <= 12 && day >= 1 &&
           day <= k_days[static_cast<std::size_t>(month - 1)];
  }

  std::string m_name;
  fs::path m_root;
  ProjectFile m_file;
};

// As the user would write it in the current folder.
std::string shown(const fs::path& path) {
  std::error_code error;
  const fs::path near = fs::proximate(path, error);
  return error || near.empty() ? path.string() : near.string();
}

} // namespace

const FileSetting* ProjectFile::find(const std::string& key) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const FileSetting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : &*found;
}

ProjectFile parse_project_file(const std::string& text, const std::string& name, const fs::path& root) {
  try {
    return Reader(name, root).read(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw UsageError(fmt::format("{}:{}:{}: this is no TOML: {}", name, error.source().begin.line,
                                 error.source().begin.column, what));
  }
}

std::optional<ProjectFile> read_project_file(const fs::path& root) {
  const fs::path path = root / k_project_file;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!fs::is_regular_file(status) || !in)
    throw UsageError(fmt::format("{} cannot be read: make it a file that you may read", shown(path)));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  ProjectFile file = parse_project_file(text, shown(path), root);
  file.path = path;
  return file;
}

} // namespace reex
