#include "git/module.h"

#include <dlfcn.h>

#include <filesystem>

namespace reex {
namespace {

namespace fs = std::filesystem;

// Installed programs have the modules in a fixed place. Programs of a build lie somewhere below the folder
// with `modules`.
fs::path find_module(const std::string& name) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = (folder / REEX_LIBRARIES_FROM_BINARIES / name).lexically_normal();
  if (fs::exists(installed, error)) return installed;
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path())
    if (const fs::path built = above / "modules" / name; fs::exists(built, error)) return built;
  return installed;
}

} // namespace

std::string module_path(const std::string& module) { return find_module(module).string(); }

void* module_symbol(const std::string& module, const char* symbol, std::string& problem) {
  void* const library = dlopen(find_module(module).c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const found = library == nullptr ? nullptr : dlsym(library, symbol);
  if (found == nullptr) {
    const char* words = dlerror();
    problem = words == nullptr ? module + " has no " + symbol : words;
  }
  return found;
}

} // namespace reex
