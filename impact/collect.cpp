// The steps from a request to its impact. Each step has its own file.
#include <algorithm>
#include <filesystem>

#include "git/repository.h"
#include "impact/analysis.h"
#include "impact/asked_place.h"
#include "impact/facts/facts_cache.h"
#include "impact/facts/parse.h"
#include "impact/impact.h"
#include "impact/matcher.h"
#include "impact/reach/find_reach.h"
#include "impact/sides.h"
#include "impact/sources/includes.h"
#include "impact/sources/lexical.h"
#include "impact/sources/macros.h"
#include "impact/sources/paths.h"
#include "impact/sources/staleness.h"
#include "impact/units.h"
#include "impact/users.h"
#include "reex/symbols/resolver.h"

namespace reex {
namespace {

using namespace impact;

// The number of units that are parsed because they include a changed file. Further units are parsed only
// because of the names that they contain.
constexpr std::size_t k_units_for_a_file = 4;

// The number of units whose old side is parsed because they use an alias or a macro that changed: what locked
// there before, and which declarations were meant.
constexpr std::size_t k_units_of_users = 8;

class Collector {
public:
  Collector(const ImpactRequest& request, Repository* repository, std::string root)
      : m_request(request), m_repository(repository),
        m_cache(cache_folder(request, root), FactsCache::k_limit, request.handed) {
    m_impact.root = std::move(root);
  }

  Impact run() {
    const auto is_code = [this](const std::string& name) {
      return is_cpp_file(name) || is_source_of_binary(m_impact.root + "/" + name);
    };
    m_sides = read_sides(m_request, m_repository, m_impact.root, is_code, m_impact.notes);
    m_impact.base = m_sides.base;
    m_impact.head = m_sides.head;
    m_impact.changes = m_sides.changes;
    for (const FileLines& lines : m_sides.lines) {
      if (!lines.new_path.empty()) m_impact.changed_lines[lines.new_path] = lines.changed;
    }
    m_impact.no_cpp_changes = m_sides.lines.empty();
    if (m_impact.no_cpp_changes) return std::move(m_impact);

    check_binary();
    const std::size_t notes = m_impact.notes.size();
    const std::vector<ParseJob> jobs = choose_units(m_request, m_binary, m_impact.root, m_impact.notes);
    m_units_known = notes == m_impact.notes.size();
    IncludeScanner scanner(m_sides.now);
    m_units = with_files(jobs, scanner, m_binary);
    m_done.assign(m_units.size(), false);
    parse_new_side();
    parse_old_side(jobs);
    find_macros(scanner);
    const auto analysed = [&] {
      return analyse(
          m_sides.lines, m_now, m_before, m_macros.uses,
          [&](const std::string& file) -> const std::vector<std::string>& { return code_of(file, scanner); });
    };
    ImpactedSets sets = analysed();
    for (;;) {
      while (parse_mentions(sets, scanner)) sets = analysed();
      if (!parse_old_users(sets, scanner)) break;
      sets = analysed();
    }
    if (m_impact.units_left_out == 0) note_unparsed();

    m_impact.points = code_points(sets, m_now, m_impact.root);
    m_impact.matcher = matcher(sets, m_now);
    if (m_request.reach && m_impact.units_left_out == 0) m_impact.reach = reach(jobs, scanner);
    if (m_request.why)
      m_impact.asked = asked_place(sets, m_now, m_impact.root, asked_file(), m_request.why->second);
    m_impact.no_points = m_impact.points.empty();
    if (m_impact.no_points && m_impact.units_left_out == 0 && !m_impact.elsewhere) {
      m_impact.notes.push_back(
          "the change of C or C++ gives no code point (comments or white space, or nothing that "
          "the compiler sees)");
    }
    return std::move(m_impact);
  }

private:
  static std::string cache_folder(const ImpactRequest& request, const std::string& root) {
    if (!request.cache) return "";
    return normalized(request.cache_parent.empty() ? root : request.cache_parent, ".") + "/.reex/cache";
  }

  void read_binary() {
    if (m_binary || !m_request.binary || m_binary_is_unknown) return;
    m_binary = read_binary_info(*m_request.binary);
    if (m_binary->error.empty()) return;
    m_impact.notes.push_back(*m_request.binary + " " + m_binary->error + ": its units are not known");
    m_binary.reset();
    m_binary_is_unknown = true;
  }

  // A header may have any name, or none behind a dot.
  bool is_source_of_binary(const std::string& path) {
    read_binary();
    if (m_binary && m_sources.empty())
      for (const CompileUnit& unit : m_binary->units)
        for (const SourceFile& file : unit.files) m_sources.insert(file.path);
    return m_sources.contains(path);
  }

  void check_binary() {
    read_binary();
    if (!m_binary) return;
    std::set<std::string> files;
    for (const FileLines& lines : m_sides.lines) {
      if (!lines.new_path.empty()) files.insert(lines.new_path);
    }
    if (!m_binary->has_debug_info) {
      m_impact.notes.push_back(*m_request.binary + " has no debug information: build it with -g");
    }
    m_impact.stale = check_staleness(*m_binary, files, m_impact.notes);
  }

  // Parses, for each changed file, the first few units that include it; all units if it is to be known what
  // reaches what.
  void parse_new_side() {
    std::set<std::size_t> chosen;
    for (std::size_t i = 0; m_request.reach && i < m_units.size(); ++i) chosen.insert(i);
    for (const FileLines& lines : m_sides.lines) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < m_units.size() && count < k_units_for_a_file; ++i) {
        if (!m_units[i].files.contains(lines.new_path)) continue;
        chosen.insert(i);
        ++count;
      }
    }
    parse(chosen);
  }

  void parse(const std::set<std::size_t>& chosen) {
    std::vector<ParseJob> jobs;
    for (const std::size_t i : chosen) {
      jobs.push_back(m_units[i].job);
      m_done[i] = true;
    }
    for (UnitFacts& unit : parse_units(jobs, m_sides.now, m_request.jobs, m_cache, m_request.parses)) {
      if (unit.left_out) {
        ++m_impact.units_left_out;
        continue;
      }
      unit.problem.empty() ? ++m_impact.units_parsed : ++m_impact.units_failed;
      if (unit.cached) ++m_impact.units_cached;
      if (!unit.problem.empty()) {
        m_impact.notes.push_back(relative_to(m_impact.root, unit.main_file) +
                                 " does not parse fully: " + unit.problem);
      }
      for (const std::string& file : unit.included) m_known.insert(file);
      merge(m_now, std::move(unit.files));
    }
  }

  // Parses one unit for each changed file that was there before. In these parses, every changed file has its
  // old text.
  void parse_old_side(const std::vector<ParseJob>& jobs) {
    IncludeScanner scanner(m_sides.before);
    std::vector<ParseJob> old_jobs;
    std::set<std::string> covered;
    for (const FileLines& lines : m_sides.lines) {
      if (lines.old_path.empty() || (lines.removed.empty() && lines.changed.empty())) continue;
      if (covered.contains(lines.old_path)) continue;
      const std::optional<ParseJob> job = old_unit(lines, jobs, scanner);
      if (!job) continue;
      for (const std::string& file : scanner.files_of(*job)) covered.insert(file);
      old_jobs.push_back(*job);
    }
    parse_old(old_jobs);
  }

  void parse_old(const std::vector<ParseJob>& old_jobs) {
    for (UnitFacts& unit : parse_units(old_jobs, m_sides.before, m_request.jobs, m_cache, m_request.parses)) {
      if (unit.left_out) {
        ++m_impact.units_left_out;
        continue;
      }
      if (!unit.problem.empty()) {
        m_old_problem = true;
        m_impact.notes.push_back("the old version of " + relative_to(m_impact.root, unit.main_file) +
                                 " does not parse fully: " + unit.problem);
      }
      m_known_before.insert(unit.included.begin(), unit.included.end());
      merge(m_before, std::move(unit.files));
    }
  }

  // Parses the old side of further units that have the name of an alias or a macro that changed. True if
  // there were such units.
  bool parse_old_users(const ImpactedSets& sets, IncludeScanner& scanner) {
    std::set<std::string> words = sets.aliases;
    for (const auto& [name, why] : m_macros.names) words.insert(name);
    std::vector<ParseJob> old_jobs;
    for (const UnitFiles& unit : m_units) {
      if (m_old_users == k_units_of_users) break;
      ParseJob job = unit.job;
      for (const FileLines& lines : m_sides.lines)
        if (lines.new_path == job.file) job.file = lines.old_path;
      if (job.file.empty() || m_known_before.contains(job.file)) continue;
      if (!mentions(unit, words, m_known_before, scanner)) continue;
      m_known_before.insert(job.file);
      old_jobs.push_back(std::move(job));
      ++m_old_users;
    }
    if (!old_jobs.empty()) parse_old(old_jobs);
    return !old_jobs.empty();
  }

  // Whether one of the unit's files that are not known yet has one of the words.
  static bool mentions(const UnitFiles& unit, const std::set<std::string>& words,
                       const std::set<std::string>& known, IncludeScanner& scanner) {
    return std::any_of(unit.files.begin(), unit.files.end(), [&](const std::string& file) {
      if (known.contains(file)) return false;
      const std::string* text = scanner.text(file);
      return text != nullptr && std::any_of(words.begin(), words.end(),
                                            [&](const std::string& word) { return has_word(*text, word); });
    });
  }

  void find_macros(IncludeScanner& scanner) {
    std::set<std::string> files;
    for (const UnitFiles& unit : m_units) files.insert(unit.files.begin(), unit.files.end());
    for (const FileLines& lines : m_sides.lines)
      if (!lines.new_path.empty()) files.insert(lines.new_path);
    m_macros =
        uses_of_macros(m_sides.lines, files, [&](const std::string& file) { return scanner.text(file); });
  }

  // The lines of a file of the new side.
  const std::vector<std::string>& code_of(const std::string& file, IncludeScanner& scanner) {
    const auto [place, fresh] = m_code.try_emplace(file);
    if (fresh)
      if (const std::string* text = scanner.text(file)) place->second = code_of_lines(*text);
    return place->second;
  }

  Reach reach(const std::vector<ParseJob>& jobs, IncludeScanner& scanner) {
    Reach nothing;
    nothing.unknown = why_not_known(jobs);
    if (!nothing.unknown.empty()) return nothing;
    return find_reach(
        m_sides.lines, m_now, m_before, m_impact.matcher, m_impact.root,
        [&](const std::string& file) -> const std::vector<std::string>& { return code_of(file, scanner); });
  }

  // Why the parsed units are not all that is in the binary; "" if they are.
  std::string why_not_known(const std::vector<ParseJob>& jobs) const {
    if (m_request.binary && (!m_binary || !m_binary->has_debug_info))
      return "the sources of the test are not known";
    if (!m_units_known || jobs.empty()) return "the units of the test are not known";
    for (const CompileUnit& unit : m_binary ? m_binary->units : std::vector<CompileUnit>()) {
      if (unit.name.empty()) return "the .dwo file of a unit is not where the compiler put it";
      if (is_system_file(unit.name)) continue;
      const std::string file = normalized(unit.name, unit.comp_dir);
      // Objects of the compiler, and libraries that were built elsewhere.
      if (std::error_code error; !std::filesystem::exists(file, error)) continue;
      if (std::none_of(jobs.begin(), jobs.end(), [&](const ParseJob& job) { return job.file == file; }))
        return relative_to(m_impact.root, file) + " is not in compile_commands.json";
    }
    if (m_impact.units_failed != 0 || m_old_problem) return "a unit of the test does not parse fully";
    return "";
  }

  std::optional<ParseJob> old_unit(const FileLines& lines, const std::vector<ParseJob>& jobs,
                                   IncludeScanner& scanner) const {
    for (ParseJob job : jobs) {
      for (const FileLines& other : m_sides.lines) {
        if (other.new_path == job.file && !other.old_path.empty()) job.file = other.old_path;
      }
      if (job.file == lines.old_path || scanner.files_of(job).contains(lines.old_path)) return job;
    }
    // A deleted source has no command any more. The command of another source is close enough.
    if (jobs.empty() || !lines.new_path.empty()) return std::nullopt;
    ParseJob job = jobs.front();
    job.file = lines.old_path;
    return job;
  }

  // Parses further units that contain the name of something impacted: they may access a field, or define a
  // method of a class or a called function. True if there were such units.
  bool parse_mentions(const ImpactedSets& sets, IncludeScanner& scanner) {
    std::set<std::string> words = sets.missing_callees;
    for (const auto& [name, why] : m_macros.names) words.insert(name);
    const auto add_last_part = [&](const std::string& name) {
      words.insert(name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1));
    };
    for (const auto& [field, where] : sets.fields) add_last_part(field.name);
    for (const auto& [name, where] : sets.classes) add_last_part(name);
    std::set<std::size_t> chosen;
    for (std::size_t i = 0; i < m_units.size(); ++i) {
      if (!m_done[i] && mentions(m_units[i], words, m_known, scanner)) chosen.insert(i);
    }
    if (!chosen.empty()) parse(chosen);
    return !chosen.empty();
  }

  // A file that the user named: relative to the working folder, or else to the root of the repository.
  std::string asked_file() const {
    const std::string here = normalized(m_request.why->first, ".");
    return std::filesystem::exists(here) ? here : normalized(m_request.why->first, m_impact.root);
  }

  // Whether nothing tells of the file as a source of the test. The debug information does not name a header
  // that has nothing but constants and macros; the unit that includes it does.
  bool of_other_programs(const std::string& file) const {
    return m_binary && m_binary->has_debug_info && m_units_known && m_binary->units_of(file).empty() &&
           std::none_of(m_units.begin(), m_units.end(),
                        [&](const UnitFiles& unit) { return unit.files.contains(file); });
  }

  void note_unparsed() {
    std::vector<std::string> elsewhere;
    bool part = false;
    for (const FileLines& lines : m_sides.lines) {
      if (lines.new_path.empty()) continue;
      const std::string name = relative_to(m_impact.root, lines.new_path);
      const bool other = of_other_programs(lines.new_path);
      part = part || !other;
      if (m_known.contains(lines.new_path) || (lines.changed.empty() && lines.removed.empty())) continue;
      m_impact.unparsed.insert(lines.new_path);
      if (other)
        elsewhere.push_back(name);
      else
        m_impact.notes.push_back(name + " was not parsed with any unit: only its changed lines are known");
    }
    if (elsewhere.empty()) return;
    const std::string test = std::filesystem::path(m_binary->path).filename().string();
    if (!part) {
      m_impact.elsewhere = true;
      m_impact.notes.push_back("none of the changed files is part of " + test);
      return;
    }
    m_impact.notes.push_back(elsewhere.size() == 1
                                 ? elsewhere[0] + " is not part of " + test
                                 : std::to_string(elsewhere.size()) + " changed files are not part of " +
                                       test + ": " + elsewhere[0] +
                                       (elsewhere.size() == 2 ? " and " + elsewhere[1] : " and others"));
  }

  const ImpactRequest& m_request;
  Repository* m_repository;
  FactsCache m_cache;
  Impact m_impact;
  Sides m_sides;
  std::optional<BinaryInfo> m_binary;
  bool m_binary_is_unknown = false;
  std::set<std::string> m_sources; // of the binary, once they were asked for
  std::vector<UnitFiles> m_units;
  std::vector<bool> m_done;
  bool m_units_known = false;
  bool m_old_problem = false;
  std::set<std::string> m_known;        // files whose facts are in m_now
  std::set<std::string> m_known_before; // and in m_before
  std::size_t m_old_users = 0;          // units that parse_old_users() has parsed
  Program m_now;
  Program m_before;
  MacroUses m_macros;
  std::map<std::string, std::vector<std::string>> m_code;
};

} // namespace

Impact collect_impact(const ImpactRequest& request, Repository& repository) {
  return Collector(request, &repository, repository.root()).run();
}

Impact collect_impact(const ImpactRequest& request) {
  std::unique_ptr<Repository> repository;
  try {
    repository = open_repository(request.repository);
  } catch (const RepositoryError&) {
    // A diff that is given as text needs no repository. Then its paths are relative to the folder.
    if (!request.diff_text) throw;
    std::error_code error;
    return Collector(request, nullptr, std::filesystem::weakly_canonical(request.repository, error).string())
        .run();
  }
  return collect_impact(request, *repository);
}

} // namespace reex
