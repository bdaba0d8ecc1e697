// A binary whose symbols are damaged may leave names unknown. It may not cost more memory or time than a
// sound one could, and may not end reex. Each seed is read in a child with limits.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reex/symbols/binary_info.h"
#include "reex/symbols/linkage.h"
#include "reex/symbols/resolver.h"
#include "reex/symbols/unhooked_code.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

constexpr long k_megabytes = 200;               // a sound binary needs less than 50
constexpr rlim_t k_seconds = 4;                 // a sound one needs some hundredths
constexpr rlim_t k_addresses = rlim_t{4} << 30; // so that this machine survives a failure of the test

const char* const k_program = R"(#include <cstdio>
#include <map>
#include <string>
__attribute__((noinline)) void mark() { std::printf("%p\n", __builtin_return_address(0)); }
namespace app {
struct Widget {
  std::map<std::string, int> m_sizes;
  inline __attribute__((always_inline)) void grow(int n) { m_sizes["a"] += n; mark(); m_sizes["b"] -= n; }
};
template <class T> __attribute__((noinline)) void run(T& widget) {
  widget.grow(3);
  auto lambda = [&]() __attribute__((noinline)) { widget.m_sizes["c"]++; mark(); widget.m_sizes["d"]++; };
  lambda();
}
}
int main() {
  app::Widget widget;
  app::run(widget);
  char line[4096];
  FILE* maps = std::fopen("/proc/self/maps", "r");
  while (std::fgets(line, sizeof line, maps)) std::fputs(line, stdout);
  return widget.m_sizes.empty();
}
)";

struct Part {
  std::string name;
  std::size_t begin;
  std::size_t size;
};

// The parts that are damaged: the header, the two tables, and what the names and lines are read from.
std::vector<Part> parts_of(const std::string& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), bytes.data() + header.e_shoff, sections.size() * sizeof sections[0]);
  std::vector<Part> parts{{"ELF header", EI_NIDENT, sizeof header - EI_NIDENT},
                          {"program headers", header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)},
                          {"section headers", header.e_shoff, sections.size() * sizeof sections[0]}};
  for (const Elf64_Shdr& section : sections) {
    const std::string name = bytes.data() + sections[header.e_shstrndx].sh_offset + section.sh_name;
    if (name.starts_with(".debug_") || name == ".symtab" || name == ".dynsym" || name == ".dynamic")
      parts.push_back({name, section.sh_offset, section.sh_size});
  }
  return parts;
}

// Headers and the beginnings of units, which say how much follows, are hit more often than the rest.
std::string damage(std::string& bytes, const std::vector<Part>& parts, unsigned seed) {
  std::mt19937 random(seed);
  const Part& part = parts[seed % parts.size()];
  const std::size_t within = seed / parts.size() % 2 == 0 ? std::min<std::size_t>(part.size, 64) : part.size;
  const unsigned count = 1 + random() % 8;
  for (unsigned i = 0; i < count; ++i) {
    static constexpr unsigned char k_values[] = {0, 1, 0x7f, 0x80, 0xff};
    char& byte = bytes[part.begin + random() % within];
    byte = static_cast<char>(random() % 2 == 0 ? k_values[random() % 5] : random());
  }
  return part.name;
}

void read_everything(const std::string& path, const std::vector<MappedModule>& modules,
                     const std::vector<std::uint64_t>& addresses) {
  read_binary_info(path);
  read_linkage(path);
  code_without_hooks(path, 4);
  Resolver resolver(modules);
  for (const std::uint64_t address : addresses) {
    resolver.frames(address);
    resolver.variable(address);
  }
}

TEST(DamagedSymbols, CostNoMoreThanSoundOnes) {
  const Compiled program("g++ -O1 -g", k_program);
  ASSERT_TRUE(program.ok());
  std::vector<MappedModule> modules = parse_maps(program.output());
  const std::string damaged = program.binary() + ".damaged";
  std::vector<std::uint64_t> addresses;
  for (MappedModule& module : modules) {
    if (module.path != program.binary()) continue;
    module.path = damaged;
    for (std::uint64_t at = module.start; at < module.end; at += 64) addresses.push_back(at);
  }
  ASSERT_FALSE(addresses.empty());
  std::erase_if(modules, [&](const MappedModule& module) { return module.path != damaged; });

  std::ifstream file(program.binary(), std::ios::binary);
  const std::string sound(std::istreambuf_iterator<char>(file), {});
  const std::vector<Part> parts = parts_of(sound);
  ASSERT_GT(parts.size(), 10u);
  const char* chosen = std::getenv("REEX_SEEDS");
  const unsigned seeds = chosen == nullptr ? 60 : static_cast<unsigned>(std::atoi(chosen));
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::string bytes = sound;
    const std::string part = damage(bytes, parts, seed);
    std::ofstream(damaged, std::ios::binary) << bytes;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const rlimit memory{k_addresses, k_addresses};
      const rlimit time{k_seconds, k_seconds + 1}; // SIGXCPU says what it was
      const rlimit none{0, 0};
      setrlimit(RLIMIT_AS, &memory);
      setrlimit(RLIMIT_CPU, &time);
      setrlimit(RLIMIT_CORE, &none);
      read_everything(damaged, modules, addresses);
      _exit(0);
    }
    int status = -1;
    rusage used = {};
    ASSERT_EQ(wait4(child, &status, 0, &used), child);
    EXPECT_LT(used.ru_maxrss / 1024, k_megabytes) << "seed " << seed << ", " << part;
    EXPECT_EQ(status, 0) << "seed " << seed << ", " << part << ": "
                         << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an exit");
  }
}

} // namespace
} // namespace reex::test
