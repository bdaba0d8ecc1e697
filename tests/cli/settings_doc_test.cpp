// docs/settings.md is true: it has each setting, with its default and an example that is accepted.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "cli/options/option_table.h"
#include "cli/options/project_file.h"

namespace reex {
namespace {

std::string document() {
  std::ifstream in(REEX_SETTINGS_DOC);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct DocumentedSetting {
  std::string fallback;
  std::string example;
};

std::map<std::string, DocumentedSetting> table_of(const std::string& text) {
  std::map<std::string, DocumentedSetting> rows;
  const std::regex row("\\| `([a-z.-]+)` \\| [^|]+ \\| ([^|]+) \\| `([^`]+)` \\| [^\\n]+");
  for (std::sregex_iterator one(text.begin(), text.end(), row), end; one != end; ++one)
    rows[(*one)[1]] = {(*one)[2], (*one)[3]};
  return rows;
}

TEST(SettingsDocument, NamesEachSettingWithItsDefault) {
  auto rows = table_of(document());
  for (const OptionRow& row : option_table()) {
    if (!row.setting) continue;
    ASSERT_TRUE(rows.contains(row.key())) << row.key() << " is not in docs/settings.md";
    if (*row.fallback != '\0')
      EXPECT_EQ(rows[row.key()].fallback, '`' + std::string(row.fallback) + '`') << row.key();
    else
      EXPECT_FALSE(rows[row.key()].fallback.starts_with('`') &&
                   rows[row.key()].fallback.find(' ') == std::string::npos)
          << row.key() << " has no default";
    rows.erase(row.key());
  }
  EXPECT_TRUE(rows.empty()) << "docs/settings.md names " << rows.begin()->first << ", which is no setting";
}

TEST(SettingsDocument, HasExamplesThatAreAccepted) {
  for (const auto& [key, row] : table_of(document())) {
    const std::size_t dot = key.find('.');
    const std::string line = key.substr(dot == std::string::npos ? 0 : dot + 1) + " = " + row.example + '\n';
    const std::string table = dot == std::string::npos ? "" : '[' + key.substr(0, dot) + "]\n";
    EXPECT_NO_THROW(parse_project_file(table + line, "example", "/")) << key;
  }
}

TEST(SettingsDocument, HasAFileThatIsAccepted) {
  const std::string text = document();
  const std::size_t begin = text.find("```toml\n") + 8;
  const ProjectFile file =
      parse_project_file(text.substr(begin, text.find("```", begin) - begin), ".reex.toml", "/");
  EXPECT_EQ(file.settings.size(), 5U);
  EXPECT_EQ(file.tests.size(), 1U);
  EXPECT_EQ(file.suppressions.size(), 1U);
}

} // namespace
} // namespace reex
