#include "tests/impact/compiled_sample.h"

#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "reex/symbols/resolver.h"

namespace reex::test {
namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) != std::string_view::npos) return true;
  }
  return false;
}

// The kind of operation of a called symbol. At -O0, the code calls functions of the library, which call the
// runtime.
std::optional<Operation::Kind> kind_of(const std::string& symbol) {
  if (symbol.starts_with("__tsan_atomic")) return Operation::Kind::synchronization;
  if (symbol.starts_with("__tsan_read")) return Operation::Kind::read;
  if (symbol.starts_with("__tsan_write")) return Operation::Kind::write;
  if (contains_any(symbol, {"cmpexch", "C1E", "C2E", "throw", "C1IJ", "ratio"}) &&
      !contains_any(symbol, {"lock_guard", "_lockI", "lock_shared"})) {
    return std::nullopt;
  }
  if (symbol.starts_with("pthread_mutex") || symbol.starts_with("pthread_rwlock")) {
    return Operation::Kind::synchronization;
  }
  const bool library = contains_any(symbol, {"_ZNSt", "_ZNKSt"});
  if (library && contains_any(symbol, {"atomic", "mutex", "lock_guard", "_lock", "condition_variable"})) {
    return Operation::Kind::synchronization;
  }
  return std::nullopt;
}

// The executable segment of a shared library, as if the library were mapped.
MappedModule mapping_of(const std::string& library) {
  constexpr std::uint64_t k_base = 0x7f0000000000;
  std::istringstream lines(output_of("readelf -lW " + library));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("LOAD") == std::string::npos || line.find("R E") == std::string::npos) continue;
    unsigned long offset = 0;
    unsigned long address = 0;
    unsigned long physical = 0;
    unsigned long size = 0;
    std::sscanf(line.c_str(), " LOAD %lx %lx %lx %lx", &offset, &address, &physical, &size);
    return {library, k_base + address, k_base + address + size, offset};
  }
  throw std::runtime_error(library + " has no executable segment");
}

// The calls in a library: the address behind each call, and the called symbol.
std::vector<std::pair<std::uint64_t, std::string>> calls_of(const std::string& library) {
  std::vector<std::pair<std::uint64_t, std::string>> calls;
  std::istringstream lines(output_of("objdump -d --no-show-raw-insn " + library));
  std::string pending;
  for (std::string line; std::getline(lines, line);) {
    unsigned long address = 0;
    if (!line.starts_with(' ') || std::sscanf(line.c_str(), " %lx:", &address) != 1) continue;
    if (!pending.empty()) calls.emplace_back(address, pending);
    pending.clear();
    const std::size_t call = line.find("call ");
    const std::size_t name = call == std::string::npos ? call : line.find('<', call);
    if (name != std::string::npos)
      pending = line.substr(name + 1, line.find_first_of("@>+", name) - name - 1);
  }
  return calls;
}

} // namespace

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run: " + command);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command + "\n" + output);
  return output;
}

std::vector<Build> build_four_times(const std::string& source, const std::string& folder) {
  std::vector<Build> builds;
  for (const std::string compiler : {"g++", "clang++"}) {
    for (const std::string level : {"-O0", "-O2"}) {
      Build& build = builds.emplace_back();
      build.name = compiler + " " + level;
      const std::string library = folder + "/" + compiler + level + ".so";
      // The runtime's symbols stay undefined, because the library is not executed.
      const std::string no_runtime = compiler == "g++" ? "-fno-sanitize=all" : "-fno-sanitize-link-runtime";
      const std::string object = folder + "/sample.o";
      output_of(compiler + " -std=c++20 -w -g " + level + " -fsanitize=thread -fPIC -c " + source + " -o " +
                object);
      output_of(compiler + " -shared " + no_runtime + " " + object + " -o " + library + " 2>&1");
      const MappedModule module = mapping_of(library);
      Resolver resolver({module});
      const std::uint64_t base = 0x7f0000000000;
      for (const auto& [after, symbol] : calls_of(library)) {
        const std::optional<Operation::Kind> kind = kind_of(symbol);
        if (!kind) continue;
        for (const Frame& frame : resolver.frames(base + after - 1)) {
          if (frame.system_header) continue;
          build.operations.push_back({*kind, frame});
          break;
        }
      }
    }
  }
  return builds;
}

} // namespace reex::test
