// A command line for the model: prints programs, their outcomes and their numbers of schedules, and writes
// programs as C++.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/model/emit_cpp.h"
#include "tests/model/generator.h"
#include "tests/model/model.h"

namespace {

using namespace reex::model;

constexpr const char* k_usage =
    "usage: model_tool generate SEED        the program of a seed\n"
    "       model_tool outcomes FILE|SEED   its outcomes with the fewest preemptions,\n"
    "                                       and the schedules by preemptions\n"
    "       model_tool cpp FIRST LAST [environment|plain_code|assembly|exempted]\n"
    "                                       the programs of the seeds as one C++ file, and where their\n"
    "                                       atomic variables are\n";

Storage storage_of(const std::string& name) {
  if (name == "environment") return Storage::environment;
  if (name == "plain_code") return Storage::plain_code;
  if (name == "assembly") return Storage::assembly;
  if (name == "exempted") return Storage::exempted;
  throw std::invalid_argument(name + ": no such storage");
}

Program program_of(const std::string& name) {
  if (name.find_first_not_of("0123456789") == std::string::npos) return generate(std::stoull(name));
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw SyntaxError(name + ": cannot be read");
  return parse(text.str());
}

void print_outcomes(const Program& program) {
  std::cout << to_text(explore(program)) << "# schedules by preemptions:";
  for (const std::uint64_t count : count_schedules(program)) std::cout << ' ' << count;
  std::cout << '\n';
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 2 && arguments[0] == "generate") {
      std::cout << to_text(generate(std::stoull(arguments[1])));
    } else if (arguments.size() == 2 && arguments[0] == "outcomes") {
      print_outcomes(program_of(arguments[1]));
    } else if ((arguments.size() == 3 || arguments.size() == 4) && arguments[0] == "cpp") {
      std::vector<NamedProgram> programs;
      for (auto seed = std::stoull(arguments[1]); seed <= std::stoull(arguments[2]); ++seed)
        programs.push_back({std::to_string(seed), generate(seed)});
      std::cout << emit_cpp(programs, arguments.size() == 4 ? storage_of(arguments[3]) : Storage::atomics);
    } else {
      std::cerr << k_usage;
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "model_tool: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
