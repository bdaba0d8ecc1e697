#include "impact/facts/system_headers.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <thread>
#include <unordered_set>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "impact/facts/cache_folder.h"
#include "impact/facts/parse.h"
#include "impact/sources/includes.h"
#include "impact/sources/lexical.h"
#include "reex/run/sha256.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;
using Entry = std::shared_ptr<SystemHeaders>;

constexpr std::size_t k_key_digits = 16;

std::uint64_t hash_of(std::string_view word) { // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::vector<std::uint64_t> words_of(const std::vector<std::string>& files) {
  std::unordered_set<std::uint64_t> found;
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for_each_name(text, [&](std::string_view word) { found.insert(hash_of(word)); });
  }
  std::vector<std::uint64_t> words(found.begin(), found.end());
  std::sort(words.begin(), words.end());
  return words;
}

// <vector>, and not <sys/stat.h>
bool is_standard(const std::string& name) {
  return name.starts_with('<') && name.find_first_of("./") == std::string::npos;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string written(const Include& include) {
  return include.quoted ? '"' + include.name + '"' : '<' + include.name + '>';
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += "#if __has_include(" + name + ")\n#include " + name + "\n#endif\n";
  return text;
}

// The file beside a precompiled header with this ending.
std::string beside(const std::string& file, const char* ending) {
  return file.substr(0, file.rfind('.')) + ending;
}

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

// What parses with the precompiled header have read of the system's headers besides: a line for each, with
// the bytes and the names, separated by tabs.
std::uint64_t read_debt(const std::string& file, std::vector<std::string>& names) {
  std::uint64_t bytes = 0;
  std::ifstream stream(beside(file, ".debt"));
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    if (std::getline(words, word, '\t')) bytes += std::strtoull(word.c_str(), nullptr, 10);
    while (std::getline(words, word, '\t')) names.push_back(word);
  }
  return bytes;
}

// Null if it is damaged, or of files that have changed.
Entry read_entry(const std::string& list) {
  std::ifstream file(list, std::ios::binary);
  const nlohmann::json json = nlohmann::json::from_cbor(file, true, false);
  if (!json.is_object()) return nullptr;
  try {
    auto found = std::make_shared<SystemHeaders>();
    json.at("names").get_to(found->names);
    json.at("refused").get_to(found->refused);
    json.at("words").get_to(found->words);
    json.at("bytes").get_to(found->bytes);
    for (const auto& [path, stamp] : json.at("read").items()) {
      if (stamp_of(path) != stamp.get<std::string>()) return nullptr;
      found->read.push_back(path);
    }
    if (found->names.empty()) return found;
    found->file = beside(list, ".pch");
    return size_of(found->file) == json.at("size").get<std::uint64_t>() ? found : nullptr;
  } catch (const nlohmann::json::exception&) {
    return nullptr;
  }
}

void write_entry(const SystemHeaders& entry, const std::string& path) {
  nlohmann::json json = {{"names", entry.names},
                         {"refused", entry.refused},
                         {"words", entry.words},
                         {"bytes", entry.bytes},
                         {"size", size_of(entry.file)}};
  nlohmann::json& read = json["read"] = nlohmann::json::object();
  for (const std::string& file : entry.read) read[file] = stamp_of(file);
  const std::string made = path + '.' + std::to_string(getpid()) + ".new";
  std::ofstream list(made, std::ios::binary | std::ios::trunc);
  nlohmann::json::to_cbor(json, list);
  list.close();
  std::error_code error;
  if (list) fs::rename(made, path + ".list", error);
  if (!list || error) fs::remove(made, error);
}

// The options of units whose headers can be precompiled: nothing of the user's comes before them.
std::optional<std::vector<std::string>> options_of(const ParseJob& job) {
  std::vector<std::string> options;
  for (std::size_t i = 0; i < job.arguments.size(); ++i) {
    const std::string& word = job.arguments[i];
    if (word.starts_with("-include") || word.starts_with("-imacros")) return std::nullopt;
    if (word.starts_with("-x")) {
      if (word != "-x" || i + 1 == job.arguments.size() || job.arguments[i + 1] != "c++") return std::nullopt;
      ++i;
      continue;
    }
    options.push_back(word);
  }
  return options;
}

bool is_c(const ParseJob& job) { return job.file.ends_with(".c"); }

} // namespace

struct SystemHeadersCache::Group {
  std::string key;
  std::vector<std::string> options;
  bool is_c = false;
  std::vector<std::size_t> jobs;
  std::vector<std::string> names; // what the units include
  std::vector<Entry> entries;     // those with these options, the one that was used last first
};

bool SystemHeaders::knows(const std::string& name) const {
  return contains(names, name) || contains(refused, name);
}

bool SystemHeaders::has_word_of(const std::set<std::string>& macros) const {
  return std::any_of(macros.begin(), macros.end(), [&](const std::string& macro) {
    return std::binary_search(words.begin(), words.end(), hash_of(macro));
  });
}

SystemHeadersCache::SystemHeadersCache(std::string folder, std::string maker, std::uint64_t limit)
    : m_above(std::move(folder)), m_folder(m_above.empty() ? "" : m_above + "/headers"),
      m_maker(std::move(maker)), m_limit(limit) {}

std::string SystemHeadersCache::key_of(const std::vector<std::string>& options, bool is_c) const {
  std::string text = m_maker + (is_c ? "\nC" : "\nC++");
  for (const std::string& option : options) text += '\n' + option;
  return sha256_hex(text).substr(0, k_key_digits);
}

void SystemHeadersCache::find(Group& group) const {
  std::vector<std::pair<fs::file_time_type, std::string>> lists;
  std::error_code error;
  for (const fs::directory_entry& one : fs::directory_iterator(m_folder, error)) {
    const std::string name = one.path().filename().string();
    if (name.starts_with(group.key + '-') && name.ends_with(".list"))
      lists.emplace_back(one.last_write_time(error), one.path().string());
  }
  std::sort(lists.rbegin(), lists.rend());
  for (const auto& [used, list] : lists)
    if (Entry valid = read_entry(list)) group.entries.push_back(std::move(valid));
}

// Precompiles what the entry includes. False: it does not parse.
bool SystemHeadersCache::write(const Group& group, const std::string& path, SystemHeaders& entry) const {
  entry.file = path + ".pch";
  entry.read.clear();
  return !entry.names.empty() && precompile({path + ".h", m_folder, group.options}, group.is_c,
                                            text_of(entry.names), entry.file, entry.read);
}

// Makes the group's precompiled headers, if there are none or if it pays, with all that the last ones have,
// so that one entry comes to serve all units. What does not parse is done without, at worst all that is not
// of the standard: it may want something to be defined before.
void SystemHeadersCache::make(Group& group) const {
  const Entry last = group.entries.empty() ? nullptr : group.entries.front();
  auto entry = std::make_shared<SystemHeaders>();
  if (last) {
    entry->names = last->names;
    entry->refused = last->refused;
    const bool pays = last->file.empty() || read_debt(last->file, group.names) >= last->bytes;
    if (!pays) return;
  }
  const std::size_t before = entry->names.size();
  for (const std::string& name : group.names)
    if (!entry->knows(name)) entry->names.push_back(name);
  if (entry->names.size() == before || !make_cache_folder(m_above)) return;
  std::error_code error;
  fs::create_directory(m_folder, error);
  const std::string path =
      m_folder + '/' + group.key + '-' + sha256_hex(text_of(entry->names)).substr(0, k_key_digits);
  if (!write(group, path, *entry)) {
    const auto first = std::stable_partition(entry->names.begin(), entry->names.end(), is_standard);
    std::move(first, entry->names.end(), std::back_inserter(entry->refused));
    entry->names.erase(first, entry->names.end());
    if (!write(group, path, *entry)) {
      std::move(entry->names.begin(), entry->names.end(), std::back_inserter(entry->refused));
      entry->names.clear();
      entry->read.clear();
      entry->file.clear();
    }
  }
  entry->words = words_of(entry->read);
  for (const std::string& file : entry->read) entry->bytes += size_of(file);
  write_entry(*entry, path);
  group.entries.insert(group.entries.begin(), std::move(entry));
}

std::vector<SystemHeadersCache::Choice> SystemHeadersCache::choose(const std::vector<ParseJob>& jobs,
                                                                   const Overlays& overlays,
                                                                   unsigned threads) const {
  std::vector<Choice> chosen(jobs.size());
  if (m_folder.empty() || jobs.empty() || is_link(m_folder)) return chosen;

  IncludeScanner scanner(overlays);
  std::vector<SystemIncludes> includes(jobs.size());
  std::map<std::string, Group> by_key;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::optional<std::vector<std::string>> options = options_of(jobs[i]);
    if (!options) continue;
    const std::string key = key_of(*options, is_c(jobs[i]));
    Group& group = by_key.try_emplace(key, Group{key, *options, is_c(jobs[i]), {}, {}, {}}).first->second;
    group.jobs.push_back(i);
    includes[i] = scanner.system_includes_of(jobs[i]);
    for (const Include& include : includes[i].headers)
      if (!contains(group.names, written(include))) group.names.push_back(written(include));
  }

  std::vector<Group*> groups;
  for (auto& [key, group] : by_key) groups.push_back(&group);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < groups.size(); i = next++) {
      find(*groups[i]);
      make(*groups[i]);
    }
  };
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, groups.size()); ++i) pool.emplace_back(work);
    work();
  }

  for (const Group* group : groups) {
    for (const std::size_t i : group->jobs) {
      const auto fits = [&](const Entry& entry) {
        return !entry->file.empty() && !entry->has_word_of(includes[i].user_macros);
      };
      const auto entry = std::find_if(group->entries.begin(), group->entries.end(), fits);
      if (entry == group->entries.end()) continue;
      chosen[i].headers = *entry;
      for (const Include& include : includes[i].headers)
        if (!(*entry)->knows(written(include))) chosen[i].missing.push_back(written(include));
      std::error_code error;
      for (const char* ending : {".pch", ".list"})
        fs::last_write_time(beside((*entry)->file, ending), fs::file_time_type::clock::now(), error);
    }
  }
  remove_oldest(m_folder, m_limit);
  return chosen;
}

void SystemHeadersCache::used(const Choice& choice, const std::vector<std::string>& read) {
  if (!choice.headers || choice.missing.empty()) return;
  const std::set<std::string> known(choice.headers->read.begin(), choice.headers->read.end());
  std::uint64_t bytes = 0;
  for (const std::string& file : read)
    if (is_system_file(file) && !known.contains(file)) bytes += size_of(file);
  std::string line = std::to_string(bytes);
  for (const std::string& name : choice.missing) line += '\t' + name;
  std::ofstream(beside(choice.headers->file, ".debt"), std::ios::app) << line + '\n';
}

} // namespace reex::impact
