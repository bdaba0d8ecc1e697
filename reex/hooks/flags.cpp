#include "reex/hooks/flags.h"

#include <stdexcept>

namespace fs = std::filesystem;

namespace reex {
namespace {

std::string unspaced(const fs::path& path) {
  std::string text = path.string();
  if (text.find_first_of(" \t\n") != std::string::npos)
    throw std::runtime_error("'" + text +
                             "' contains a space, which a shell would split: use the CMake target "
                             "reex::instrument, or move reex");
  return text;
}

} // namespace

Layout layout(const fs::path& reex_executable) {
  const fs::path beside = fs::weakly_canonical(reex_executable).parent_path();
  const fs::path build = beside.parent_path();
  const fs::path hooks = build / "reex" / "hooks";
  if (fs::exists(hooks / "libreex_hooks.so"))
    return {build / "reex" / "runtime" / "libreex_rt.so",
            hooks / "libreex_hooks.so",
            hooks / "libtsan",
            hooks / "instrument.specs",
            hooks / REEX_ASSEMBLER,
            build / "imunit" / "native" / "libreex_log.so"};
  const fs::path installed = (beside / REEX_LIBRARIES_FROM_BINARIES).lexically_normal();
  return {installed / "libreex_rt.so",    installed / "libreex_hooks.so", installed / "libtsan",
          installed / "instrument.specs", installed / REEX_ASSEMBLER,     installed / "libreex_log.so"};
}

std::string instrument_flags(const fs::path& reex_executable, bool compile) {
  const Layout files = layout(reex_executable);
  const std::string specs = "-specs=" + unspaced(files.specs) + " -Wno-unused-command-line-argument ";
  // clang++ leaves out the hook of a read if a write to the same place follows. So a thread could not be
  // switched right before this read. Nor has it hooks for parts of objects on the stack, nor for large
  // vectors. g++ has these hooks, and accepts clang++'s options because of the specs. With -fsanitize=thread,
  // g++ warns about fences. clang++ does not know that warning. The counters of
  // --coverage become atomic with it, if not for -fprofile-update; g++ has none, because of the specs. With
  // _FORTIFY_SOURCE, memcpy and the like are written out as before: both forget it, g++ because of the specs.
  // g++ calls the assembler that it finds where -B says; clang++ has its own.
  if (compile)
    return "-g -fsanitize=thread -fprofile-update=single " REEX_NO_FORTIFY " " + specs + "-B" +
           unspaced(files.assembler) + "/ " +
           REEX_CLANG_ACCESSES " -Wno-unknown-warning-option -Wno-tsan " REEX_NO_BUILTINS;
  const std::string directory = unspaced(files.hooks.parent_path());
  // -fno-sanitize-link-runtime makes clang++ leave out its own runtime, and g++ accepts the option because of
  // the specs. If g++ sees -fsanitize=thread in the same command, it adds -ltsan and finds our library under
  // that name.
  return specs + "-fno-sanitize-link-runtime -L" + unspaced(files.libtsan) + " -L" + directory +
         " -Wl,--push-state,--no-as-needed -lreex_hooks -Wl,--pop-state -Wl,-rpath," + directory;
}

fs::path runtime_library(const fs::path& reex_executable) {
  fs::path library = layout(reex_executable).runtime;
  if (!fs::exists(library))
    throw std::runtime_error("the runtime library '" + library.string() +
                             "' is missing: build or install reex again");
  return library;
}

fs::path libtsan_directory(const fs::path& reex_executable) { return layout(reex_executable).libtsan; }

} // namespace reex
