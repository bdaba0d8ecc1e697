#include "reex/schedules/schedule_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reex/frameworks/table.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_format = "reex-schedule";

// Text from the test may be any bytes; the file is UTF-8.
std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr const char* k_accesses[] = {"sync", "racy", "all"}; // in the order of Accesses

const char* accesses_name(Accesses accesses) { return k_accesses[static_cast<unsigned>(accesses)]; }

// Throws std::invalid_argument if the member is missing or of the wrong type; parse_schedule_file() makes a
// ScheduleFileError of it.
template <typename T>
T member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) throw std::invalid_argument(fmt::format("\"{}\" is missing", name));
  try {
    return found->template get<T>();
  } catch (const Json::exception&) {
    throw std::invalid_argument(fmt::format("\"{}\" has the wrong type", name));
  }
}

// A whole number that is not negative. The JSON library would convert -1 and 1.5 without an error.
template <typename T>
T count(const Json& object, const char* name) {
  const Json value = member<Json>(object, name);
  if (!value.is_number_unsigned())
    throw std::invalid_argument(fmt::format("\"{}\" is not a whole number", name));
  const auto number = value.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    throw std::invalid_argument(fmt::format("\"{}\" is too large", name));
  }
  return static_cast<T>(number);
}

const Json& part(const Json& document, const char* name, bool (Json::*is_kind)() const noexcept) {
  const auto found = document.find(name);
  if (found == document.end()) throw std::invalid_argument(fmt::format("\"{}\" is missing", name));
  if (!((*found).*is_kind)()) throw std::invalid_argument(fmt::format("\"{}\" has the wrong type", name));
  return *found;
}

Accesses read_accesses(const std::string& name) {
  for (const Accesses accesses : {Accesses::sync, Accesses::racy, Accesses::all})
    if (name == accesses_name(accesses)) return accesses;
  throw std::invalid_argument(fmt::format("\"accesses\" is \"{}\", which this reex does not know", name));
}

const char* reduction_name(ScheduleFile::Reduction reduction) {
  return reduction == ScheduleFile::Reduction::complete ? "complete" : "partly";
}

// What a later reex says otherwise is not taken for more than it is.
ScheduleFile::Reduction read_reduction(const std::string& name) {
  for (const auto one : {ScheduleFile::Reduction::partly, ScheduleFile::Reduction::complete})
    if (name == reduction_name(one)) return one;
  return ScheduleFile::Reduction::none;
}

bool read_sleeps(const std::string& name) {
  if (name != "any" && name != "timed")
    throw std::invalid_argument(fmt::format("\"sleeps\" is \"{}\", which this reex does not know", name));
  return name == "any";
}

Decision read_decision(const Json& value) {
  if (!value.is_object()) throw std::invalid_argument("a decision is not an object");
  Decision decision;
  decision.point = count<std::uint32_t>(value, "point");
  decision.step = count<std::uint32_t>(value, "step");
  decision.thread = count<int>(value, "thread");
  decision.kind = member<std::string>(value, "kind");
  if (value.contains("left")) { // a file that was written by hand, or by an earlier reex, may lack it
    decision.left = count<int>(value, "left");
    decision.done = count<std::uint32_t>(value, "done");
  }
  return decision;
}

PromotedAccess read_promoted(const Json& value) {
  if (!value.is_object()) throw std::invalid_argument("a promoted access is not an object");
  return {member<std::string>(value, "module"), count<std::uint64_t>(value, "offset"),
          member<std::string>(value, "location")};
}

ScheduleFile::Step read_step(const Json& value) {
  if (!value.is_object()) throw std::invalid_argument("a step is not an object");
  return {count<int>(value, "thread"), member<std::string>(value, "operation"),
          member<std::string>(value, "object"), member<std::string>(value, "location")};
}

void check_version(const Json& document, std::string_view name) {
  if (!document.is_object() || document.value("format", Json()) != k_format) {
    throw ScheduleFileError(
        fmt::format("{} is not a schedule file of reex: give a file from .reex/failures", name));
  }
  const Json found = document.value("version", Json());
  if (found != ScheduleFile::k_version && found != ScheduleFile::k_oldest_version) {
    throw ScheduleFileError(fmt::format(
        "{} is a schedule file of version {}, this reex reads versions {} and {}: replay it with the reex "
        "that wrote it{}, or explore the test again",
        name, found.is_null() ? std::string("(none)") : dump(found), ScheduleFile::k_oldest_version,
        ScheduleFile::k_version,
        document.contains("reex") && document["reex"].is_string()
            ? " (" + document["reex"].get<std::string>() + ")"
            : std::string()));
  }
}

ScheduleFile read_document(const Json& document) {
  ScheduleFile file;
  file.reex_version = member<std::string>(document, "reex");

  const Json& test = part(document, "test", &Json::is_object);
  file.binary = member<std::string>(test, "binary");
  file.build_id = member<std::string>(test, "build_id");
  file.working_directory = member<std::string>(test, "working_directory");
  file.arguments = member<std::vector<std::string>>(test, "arguments");
  file.test_name = member<std::string>(test, "name");
  file.framework = member<bool>(test, "gtest") ? Framework::googletest : Framework::none;
  if (test.contains("framework")) file.framework = framework_of_kind(member<std::string>(test, "framework"));

  const Json& options = part(document, "options", &Json::is_object);
  file.accesses = read_accesses(member<std::string>(options, "accesses"));
  file.timeouts = member<bool>(options, "timeouts");
  if (options.contains("sleeps")) file.sleeps_any = read_sleeps(member<std::string>(options, "sleeps"));
  file.spurious = member<bool>(options, "spurious");
  if (options.contains("reuse")) file.reuse = member<bool>(options, "reuse");
  if (options.contains("code_is_entered")) file.code_is_entered = member<bool>(options, "code_is_entered");
  file.max_steps = count<std::uint64_t>(options, "max_steps");
  if (options.contains("slice")) file.slice = count<std::uint32_t>(options, "slice");
  if (options.contains("patience")) file.patience = count<std::uint32_t>(options, "patience");

  const Json& outcome = part(document, "outcome", &Json::is_object);
  file.failure_kind = member<std::string>(outcome, "failure");
  file.failure_key = member<std::string>(outcome, "key");
  if (outcome.contains("places")) file.places = member<std::vector<std::string>>(outcome, "places");
  file.message = member<std::string>(outcome, "message");
  if (!member<Json>(outcome, "exit").is_null()) file.exit = count<int>(outcome, "exit");
  file.stdout_sha256 = member<std::string>(outcome, "stdout_sha256");

  file.preemptions = count<unsigned>(document, "preemptions");
  for (const Json& value : part(document, "decisions", &Json::is_array)) {
    file.decisions.push_back(read_decision(value));
  }
  if (document.contains("reduced")) file.reduced = read_reduction(member<std::string>(document, "reduced"));
  if (document.contains("changed")) file.changed = member<std::vector<std::string>>(document, "changed");
  if (document["version"] != ScheduleFile::k_oldest_version) {
    for (const Json& value : part(document, "promoted", &Json::is_array))
      file.promoted.push_back(read_promoted(value));
  }
  for (const Json& value : part(document, "steps", &Json::is_array)) file.steps.push_back(read_step(value));
  return file;
}

// Replaces each comma before a closing bracket by a blank: a person who deletes the last decision leaves such
// a comma. The offsets of all other characters stay the same.
std::string without_trailing_commas(std::string_view text) {
  std::string result(text);
  std::size_t comma = std::string::npos;
  bool in_string = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const char c = result[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if ((c == ']' || c == '}') && comma != std::string::npos) result[comma] = ' ';
    if (c == ',')
      comma = i;
    else if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
      comma = std::string::npos;
    if (c == '"') in_string = true;
  }
  return result;
}

// An array with one element on each line, so that a person can delete an element. There may be millions: they
// are written without a JSON value for each.
template <typename T, typename Write>
std::string lines(const std::vector<T>& values, Write write) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    write(std::back_inserter(text), values[i]);
  }
  return text + (values.empty() ? "]" : "\n  ]");
}

} // namespace

ScheduleFile parse_schedule_file(std::string_view text, std::string_view name) {
  const auto damaged = [&](const std::string& what) {
    return ScheduleFileError(
        fmt::format("{} is damaged: {}: explore the test again to get a new one", name, what));
  };
  Json document;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos ||
      text[text.find_first_not_of(" \t\r\n")] != '{') {
    check_version(document, name);
  }
  try {
    document = Json::parse(without_trailing_commas(text));
  } catch (const Json::parse_error& error) {
    throw damaged(fmt::format("no JSON at byte {}", error.byte));
  }
  check_version(document, name);
  try {
    return read_document(document);
  } catch (const std::invalid_argument& error) {
    throw damaged(error.what());
  }
}

std::string format_schedule_file(const ScheduleFile& file) {
  Json test = {{"binary", file.binary},
               {"build_id", file.build_id},
               {"working_directory", file.working_directory},
               {"arguments", file.arguments},
               {"name", file.test_name},
               {"gtest", file.framework == Framework::googletest}};
  if (const FrameworkRow* row = row_of(file.framework); row != nullptr) test["framework"] = row->kind;
  const Json options = {{"accesses", accesses_name(file.accesses)},
                        {"timeouts", file.timeouts},
                        {"sleeps", file.sleeps_any ? "any" : "timed"},
                        {"spurious", file.spurious},
                        {"reuse", file.reuse},
                        {"code_is_entered", file.code_is_entered},
                        {"max_steps", file.max_steps},
                        {"slice", file.slice},
                        {"patience", file.patience}};
  Json outcome = {{"failure", file.failure_kind}, {"key", file.failure_key}};
  if (!file.places.empty()) outcome["places"] = file.places;
  outcome["message"] = file.message;
  outcome["exit"] = file.exit ? Json(*file.exit) : Json();
  outcome["stdout_sha256"] = file.stdout_sha256;
  const std::string decisions = lines(file.decisions, [](auto out, const Decision& decision) {
    fmt::format_to(out, R"({{"point":{},"step":{},"thread":{},"kind":{})", decision.point, decision.step,
                   decision.thread, dump(decision.kind));
    if (decision.left >= 0) fmt::format_to(out, R"(,"left":{},"done":{})", decision.left, decision.done);
    *out = '}';
  });
  const std::string promoted = lines(file.promoted, [](auto out, const PromotedAccess& access) {
    fmt::format_to(out, R"({{"module":{},"offset":{},"location":{}}})", dump(access.module), access.offset,
                   dump(access.location));
  });
  const std::string steps = lines(file.steps, [](auto out, const ScheduleFile::Step& step) {
    fmt::format_to(out, R"({{"thread":{},"operation":{},"object":{},"location":{}}})", step.thread,
                   dump(step.operation), dump(step.object), dump(step.location));
  });
  const std::string reduced = file.reduced == ScheduleFile::Reduction::none
                                  ? ""
                                  : fmt::format("  \"reduced\": \"{}\",\n", reduction_name(file.reduced));
  const std::string changed =
      file.changed.empty() ? "" : fmt::format("  \"changed\": {},\n", dump(file.changed));
  return fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"reex\": {},\n  \"test\": {},\n"
                     "  \"options\": {},\n  \"outcome\": {},\n  \"preemptions\": {},\n  \"decisions\": {},\n"
                     "{}{}  \"promoted\": {},\n  \"steps\": {}\n}}\n",
                     k_format, ScheduleFile::k_version, dump(file.reex_version), dump(test), dump(options),
                     dump(outcome), file.preemptions, decisions, reduced, changed, promoted, steps);
}

ScheduleFile read_schedule_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ScheduleFileError(fmt::format("{} is a folder: give a schedule file from .reex/failures", path));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw ScheduleFileError(fmt::format("cannot read {}: {}: give a schedule file from .reex/failures", path,
                                        std::strerror(errno != 0 ? errno : EIO)));
  }
  std::ostringstream text;
  text << in.rdbuf();
  return parse_schedule_file(text.str(), path);
}

std::string binary_of_schedule_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string key;
  struct Found {
    std::string binary;
  };
  const auto look = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key) key = value.get<std::string>();
    if (depth == 1 && event == Json::parse_event_t::object_end && key == "test")
      throw Found{value.value("binary", "")}; // the only way to end the parser early
    return true;
  };
  try {
    const Json whole = Json::parse(in, look);
  } catch (const Found& found) {
    return found.binary;
  } catch (const Json::exception&) { // no JSON, or its binary is no text
  }
  return "";
}

void write_schedule_file(const std::string& path, const ScheduleFile& file) {
  const std::string unfinished = fmt::format("{}.{}", path, getpid());
  unlink(unfinished.c_str()); // a link there is not followed
  {
    std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
    out << format_schedule_file(file);
    if (!out.flush()) {
      unlink(unfinished.c_str());
      throw ScheduleFileError(fmt::format("cannot write {}: choose another folder with -o", path));
    }
  }
  std::error_code error;
  std::filesystem::rename(unfinished, path, error);
  if (error) {
    unlink(unfinished.c_str());
    throw ScheduleFileError(
        fmt::format("cannot write {}: {}: choose another folder with -o", path, error.message()));
  }
}

} // namespace reex
