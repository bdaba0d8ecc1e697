#include "impact/facts/facts_cache.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git/module.h"
#include "impact/facts/cache_folder.h"
#include "impact/facts/facts_text.h"
#include "impact/sources/paths.h"
#include "reex/run/sha256.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

// Raise it when the facts of the same sources become others.
constexpr unsigned k_version = 16;
constexpr std::size_t k_digits = 64;    // of a SHA-256
constexpr std::size_t k_candidates = 8; // entries of one command that are looked at, and kept

std::optional<std::string> bytes_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat status = {};
  std::optional<std::string> bytes;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.emplace(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    for (ssize_t got = 1; got > 0 && have < bytes->size();
         have += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
      got = read(file, bytes->data() + have, bytes->size() - have);
    bytes->resize(have);
  }
  close(file);
  return bytes;
}

// The name by which a header of the system is included: what follows the folder that compilers search.
std::string searched_name(const std::string& path) {
  for (const char* folder : {"/include/c++/", "/include/"}) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) continue;
    std::string name = path.substr(at + std::string_view(folder).size());
    if (std::string_view(folder) == "/include/c++/") name.erase(0, name.find('/') + 1);
    if (name.starts_with("x86_64-linux-gnu/")) name.erase(0, name.find('/') + 1);
    return name;
  }
  return "";
}

// The folders in which the parser searches headers, those of the system left out.
std::vector<std::string> search_folders(const ParseJob& job) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < job.arguments.size(); ++i) {
    for (const std::string_view option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      const std::string& word = job.arguments[i];
      if (!word.starts_with(option)) continue;
      const bool separate = word.size() == option.size();
      if (separate && i + 1 == job.arguments.size()) continue;
      folders.push_back(
          normalized(separate ? job.arguments[i + 1] : word.substr(option.size()), job.directory));
      break;
    }
  }
  return folders;
}

// The files that would be read instead of others if they were there.
std::set<std::string> places_before(const ParseJob& job, const std::vector<std::string>& read) {
  const std::vector<std::string> folders = search_folders(job);
  const std::set<std::string> known(read.begin(), read.end());
  std::set<std::string> places;
  for (const std::string& path : read) {
    std::set<std::string> names{searched_name(path)};
    for (const std::string& folder : folders)
      if (path.starts_with(folder + '/')) names.insert(path.substr(folder.size() + 1));
    for (const std::string& name : names) {
      if (name.empty()) continue;
      for (const std::string& folder : folders) {
        std::string place = folder + '/' + name;
        if (place == path) break;
        if (!known.contains(place)) places.insert(std::move(place));
      }
    }
  }
  return places;
}

// The kernel's clock for files is a few milliseconds late.
bool was_written_since(const std::string& path, FactsCache::Time time) {
  constexpr std::chrono::milliseconds k_late{20};
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return true;
  const auto changed =
      std::chrono::seconds(status.st_ctim.tv_sec) + std::chrono::nanoseconds(status.st_ctim.tv_nsec);
  return changed >= (time - k_late).time_since_epoch();
}

} // namespace

FactsCache::FactsCache(std::string folder, std::uint64_t limit, HandedFacts* handed)
    : m_folder(std::move(folder)), m_limit(limit), m_handed(handed),
      m_maker(std::to_string(k_version) + ' ' + stamp_of(module_path("libreex_clang.so"))) {}

std::string FactsCache::key_of(const ParseJob& job) const {
  std::string text = m_maker + '\n' + job.file + '\n' + job.directory;
  for (const std::string& argument : job.arguments) text += '\n' + argument;
  return sha256_hex(text);
}

const std::string& FactsCache::hash_of(const std::string& path, const Overlays& overlays) {
  const auto overlay = overlays.find(path);
  const auto [place, fresh] =
      overlay == overlays.end() ? m_hashes.try_emplace(path) : m_overlay_hashes.try_emplace(overlay->second);
  if (!fresh) return place->second;
  if (overlay != overlays.end()) {
    place->second = sha256_hex(overlay->second);
  } else if (const std::optional<std::string> bytes = bytes_of(path)) {
    place->second = sha256_hex(*bytes);
  }
  return place->second;
}

// A digest of all that the parse depended on. Missing files are part of it.
std::string FactsCache::state_of(const ParseJob& job, const std::vector<std::string>& read,
                                 const Overlays& overlays) {
  std::string text;
  for (const std::string& path : read) text += path + ' ' + hash_of(path, overlays) + '\n';
  for (const std::string& place : places_before(job, read))
    if (overlays.contains(place) || access(place.c_str(), F_OK) == 0) text += place + '\n';
  return sha256_hex(text);
}

// The contents on disk are left out: the process that hands the facts over has just read them.
std::string FactsCache::handed_key_of(const ParseJob& job, const Overlays& overlays) const {
  std::string text = key_of(job);
  for (const auto& [path, contents] : overlays) text += '\n' + path + ' ' + sha256_hex(contents);
  return sha256_hex(text);
}

std::optional<UnitFacts> FactsCache::find_handed(const ParseJob& job, const Overlays& overlays) const {
  if (m_handed == nullptr) return std::nullopt;
  const auto found = m_handed->find(handed_key_of(job, overlays));
  return found == m_handed->end() ? std::nullopt : facts_of_bytes(found->second);
}

// An entry is a digest of the rest, the state, and the facts. Its name is the key and a part of the state.
std::optional<UnitFacts> FactsCache::find(const ParseJob& job, const Overlays& overlays) {
  if (std::optional<UnitFacts> handed = find_handed(job, overlays)) return handed;
  if (m_folder.empty() || is_link(m_folder)) return std::nullopt;
  const std::string key = key_of(job);
  std::error_code error;
  std::size_t looked_at = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(key + '-') || name.ends_with(".new") || looked_at++ >= k_candidates) continue;
    const std::optional<std::string> bytes = bytes_of(entry.path().string());
    if (!bytes || bytes->size() < 2 * k_digits) continue;
    const std::string_view whole = *bytes;
    if (sha256_hex(whole.substr(k_digits)) != whole.substr(0, k_digits)) continue;
    std::optional<UnitFacts> facts = facts_of_bytes(whole.substr(2 * k_digits));
    if (!facts || state_of(job, facts->read, overlays) != whole.substr(k_digits, k_digits)) continue;
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now(), error); // it was used
    facts->cached = true;
    return facts;
  }
  return std::nullopt;
}

void FactsCache::keep(const ParseJob& job, const Overlays& overlays, const UnitFacts& facts, Time begun) {
  if (m_handed != nullptr) (*m_handed)[handed_key_of(job, overlays)] = to_bytes(facts);
  if (m_folder.empty() || !facts.parsed || facts.misses_file) return;
  const auto written = [&](const std::string& path) {
    return !overlays.contains(path) && was_written_since(path, begun);
  };
  if (std::any_of(facts.read.begin(), facts.read.end(), written) || !make_cache_folder(m_folder)) return;
  const std::string state = state_of(job, facts.read, overlays);
  const std::string rest = state + to_bytes(facts);
  const std::string path = m_folder + '/' + key_of(job) + '-' + state.substr(0, k_digits / 4);
  const std::string made = path + '.' + std::to_string(getpid()) + ".new";
  std::ofstream file(made, std::ios::binary | std::ios::trunc);
  file << sha256_hex(rest) << rest;
  file.close();
  std::error_code error;
  if (file) fs::rename(made, path, error);
  if (!file || error) fs::remove(made, error);
  remove_oldest(m_folder, m_limit);
}

} // namespace reex::impact
