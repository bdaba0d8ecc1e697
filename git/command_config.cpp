#include "git/command_config.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace reex {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

void lower(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
}

// Section and name have no case; what stands between them has.
std::string canonical(std::string_view key) {
  while (!key.empty() && is_space(key.front())) key.remove_prefix(1);
  while (!key.empty() && is_space(key.back())) key.remove_suffix(1);
  std::string text(key);
  const std::size_t first = text.find('.');
  if (first == std::string::npos) return "";
  lower(text, 0, first);
  lower(text, text.rfind('.') + 1, text.size());
  return text;
}

// Takes a word in single quotes, as git quotes for a shell: 'it'\''s'. nullopt: there is none.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string word;
  if (text.empty() || text.front() != '\'') return std::nullopt;
  for (text.remove_prefix(1);;) {
    const std::size_t quote = text.find('\'');
    if (quote == std::string_view::npos) return std::nullopt;
    word += text.substr(0, quote);
    text.remove_prefix(quote + 1);
    const bool escaped =
        text.size() >= 3 && text[0] == '\\' && (text[1] == '\'' || text[1] == '!') && text[2] == '\'';
    if (!escaped) return word;
    word += text[1];
    text.remove_prefix(3);
  }
}

// 'key'='value' and 'key'=, and from git before 2.31 'key=value' and 'key'.
std::optional<ConfigEntry> take_entry(std::string_view& text) {
  const auto word = take_quoted(text);
  if (!word) return std::nullopt;
  if (text.starts_with('=')) {
    text.remove_prefix(1);
    if (text.empty() || is_space(text.front())) return ConfigEntry{canonical(*word), std::nullopt};
    const auto value = take_quoted(text);
    if (!value) return std::nullopt;
    return ConfigEntry{canonical(*word), value};
  }
  const std::size_t equals = word->find('=');
  if (equals == std::string::npos) return ConfigEntry{canonical(*word), std::nullopt};
  return ConfigEntry{canonical(std::string_view(*word).substr(0, equals)), word->substr(equals + 1)};
}

class ConfigWithEntries : public GitConfig {
public:
  ConfigWithEntries(std::unique_ptr<GitConfig> config, const std::vector<ConfigEntry>& entries)
      : m_config(std::move(config)), m_entries(entries) {}

  std::string root() const override { return m_config->root(); }

  std::vector<std::string> keys() const override {
    std::vector<std::string> names = m_config->keys();
    for (const ConfigEntry& entry : m_entries)
      if (entry.key.starts_with("reex.")) names.push_back(entry.key);
    return names;
  }

  std::optional<std::string> value(const std::string& key) const override {
    const auto last = std::find_if(m_entries.rbegin(), m_entries.rend(),
                                   [&](const ConfigEntry& entry) { return entry.key == key; });
    if (last == m_entries.rend()) return m_config->value(key);
    return last->value.value_or("true"); // as in git
  }

  std::vector<std::string> values(const std::string& key) const override {
    std::vector<std::string> all = m_config->values(key);
    for (const ConfigEntry& entry : m_entries)
      if (entry.key == key) all.push_back(entry.value.value_or(""));
    return all;
  }

private:
  std::unique_ptr<GitConfig> m_config;
  std::vector<ConfigEntry> m_entries;
};

} // namespace

std::vector<ConfigEntry>
parse_command_config(const std::function<std::optional<std::string>(const std::string&)>& variable) {
  std::vector<ConfigEntry> entries;
  const std::string number = variable("GIT_CONFIG_COUNT").value_or("");
  unsigned count = 0;
  std::from_chars(number.data(), number.data() + number.size(), count);
  for (unsigned i = 0; i < count; ++i) {
    const auto key = variable("GIT_CONFIG_KEY_" + std::to_string(i));
    const auto value = variable("GIT_CONFIG_VALUE_" + std::to_string(i));
    if (!key || !value) break;
    entries.push_back({canonical(*key), value});
  }
  const std::string quoted = variable("GIT_CONFIG_PARAMETERS").value_or("");
  for (std::string_view text = quoted;;) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    auto entry = take_entry(text);
    if (!entry) return entries;
    entries.push_back(std::move(*entry));
  }
}

const std::vector<ConfigEntry>& command_config() {
  static const std::vector<ConfigEntry> entries = parse_command_config([](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
  return entries;
}

std::unique_ptr<GitConfig> with_entries(std::unique_ptr<GitConfig> config,
                                        const std::vector<ConfigEntry>& entries) {
  if (entries.empty()) return config;
  return std::make_unique<ConfigWithEntries>(std::move(config), entries);
}

} // namespace reex
