#include "impact/sources/compile_commands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "impact/sources/gcc_version.h"
#include "impact/sources/paths.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_name = "compile_commands.json";

// Options that have a value, which may be the next word.
constexpr std::array<std::string_view, 11> k_with_value = {"-I",       "-isystem",  "-iquote",  "-idirafter",
                                                           "-include", "-imacros",  "-D",       "-U",
                                                           "-x",       "--sysroot", "-isysroot"};

// What changes the meaning of a source, of the options that both compilers have: the language, and the
// instructions of the processor, whose macros and intrinsics sources ask for. The beginnings of words.
constexpr const char* k_kept_starts =
    "-std= -ansi -pthread -fopenmp -fcoroutines-ts -O -stdlib= -nostdinc --sysroot= -fno-exceptions "
    "-fno-rtti "
    "-fno-access-control -fno-char8_t -fchar8_t -fms-extensions -ffreestanding -fno-gnu-keywords "
    "-fno-operator-names -fsized-deallocation -funsigned-char -fsigned-char -fshort-enums -fshort-wchar "
    "-m32 -mx32 -march= -mavx -msse -mmmx -mcx16 -mbmi -mlzcnt -mpopcnt -mmovbe -madx -maes -mvaes -mpclmul "
    "-mvpclmulqdq -msha -mgfni -mfma -mf16c -mcrc32 -mrdrnd -mrdseed -mrtm -mxsave -mfsgsbase -mclflushopt "
    "-mclwb -mwaitpkg -mpku -mshstk";

// Whether the file is a header. As a main file, a header needs a language option.
bool is_header(std::string_view path) {
  const std::string_view extension = path.substr(std::min(path.rfind('.'), path.size()));
  return extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".hxx";
}

// Makes the paths of include options absolute, because parsers in several threads share one working folder.
void resolve_paths(std::vector<std::string>& arguments, const std::string& folder) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (const std::string_view option :
         {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"}) {
      if (!arguments[i].starts_with(option)) continue;
      const bool separate = arguments[i].size() == option.size();
      if (separate && ++i == arguments.size()) return;
      const std::string path = separate ? arguments[i] : arguments[i].substr(option.size());
      const fs::path absolute = fs::path(folder) / path;
      std::error_code error;
      // If a forced include does not exist in the folder, the parser searches the include paths for it.
      const bool forced = option == "-include" || option == "-imacros";
      if (forced && !fs::exists(absolute, error)) break;
      arguments[i] = (separate ? "" : std::string(option)) + absolute.lexically_normal().string();
      break;
    }
  }
}

} // namespace

std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word.push_back(command[++i]);
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word.push_back(c);
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word.push_back(c);
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> parser_arguments(const std::vector<std::string>& command) {
  static const std::vector<std::string> kept_starts = split_command(k_kept_starts);
  std::vector<std::string> kept;
  bool clang = false;
  for (const std::string& word : command) {
    if (word.starts_with('-')) break;
    clang = clang || word.find("clang") != std::string::npos;
  }
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const auto takes_value = std::find(k_with_value.begin(), k_with_value.end(), word);
    if (takes_value != k_with_value.end()) {
      if (i + 1 < command.size()) kept.insert(kept.end(), {word, command[++i]});
      continue;
    }
    const bool joined = std::any_of(k_with_value.begin(), k_with_value.end(),
                                    [&](std::string_view option) { return word.starts_with(option); });
    const bool plain = std::any_of(kept_starts.begin(), kept_starts.end(),
                                   [&](const std::string& start) { return word.starts_with(start); });
    if (joined || plain) kept.push_back(word);
    // With this option, g++ defines a macro. clang has a feature test instead, which libclang may not
    // support.
    if (!clang && word == "-fsanitize=thread") kept.push_back("-D__SANITIZE_THREAD__=1");
  }
  const std::string version = claimed_gcc_version(command);
  if (!version.empty()) kept.push_back(std::string(k_gcc_version_option) + version);
  return kept;
}

std::optional<std::vector<ParseJob>> read_compile_commands(const std::string& path, std::string& problem) {
  std::error_code error;
  const fs::path file = fs::is_directory(path, error) ? fs::path(path) / k_name : fs::path(path);
  std::ifstream stream(file);
  if (!stream) {
    problem = file.string() + " cannot be read";
    return std::nullopt;
  }
  const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_array()) {
    problem = file.string() + " is not a compilation database";
    return std::nullopt;
  }
  std::vector<ParseJob> jobs;
  std::set<std::pair<std::string, std::vector<std::string>>> seen;
  for (const nlohmann::json& entry : json) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) continue;
    ParseJob job;
    job.directory = entry.value("directory", file.parent_path().string());
    job.file = normalized(entry["file"].get<std::string>(), job.directory);
    std::vector<std::string> command;
    if (entry.contains("arguments") && entry["arguments"].is_array()) {
      for (const nlohmann::json& word : entry["arguments"]) {
        if (word.is_string()) command.push_back(word.get<std::string>());
      }
    } else {
      command = split_command(entry.value("command", ""));
    }
    job.arguments = parser_arguments(command);
    resolve_paths(job.arguments, job.directory);
    if (is_header(job.file)) job.arguments.insert(job.arguments.begin(), {"-x", "c++"});
    if (seen.emplace(job.file, job.arguments).second) jobs.push_back(std::move(job));
  }
  return jobs;
}

std::string find_compile_commands(const std::string& binary, const std::vector<std::string>& build_folders,
                                  const std::string& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (!binary.empty()) {
    fs::path folder = fs::weakly_canonical(binary, error).parent_path();
    for (;; folder = folder.parent_path()) {
      folders.push_back(folder);
      if (folder == root || folder == folder.root_path()) break;
    }
  }
  for (const std::string& build : build_folders) folders.emplace_back(build);
  folders.emplace_back(root);
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (entry.is_directory(error)) folders.push_back(entry.path());
  }
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / k_name, error)) return (folder / k_name).string();
  }
  return "";
}

} // namespace reex::impact
