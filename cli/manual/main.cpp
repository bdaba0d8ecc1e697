// Writes the manual page or a completion, for the build.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>

#include "cli/manual/completion.h"
#include "cli/manual/man_page.h"

int main(int count, char** arguments) {
  const std::string_view kind = count == 3 ? arguments[1] : "";
  try {
    std::string text;
    if (kind == "man") text = reex::man_page();
    if (kind == "bash") text = reex::bash_completion();
    if (kind == "zsh") text = reex::zsh_completion();
    if (kind == "fish") text = reex::fish_completion();
    if (text.empty()) {
      std::fputs("usage: reex_manual man|bash|zsh|fish FILE\n", stderr);
      return 2;
    }
    std::ofstream file(arguments[2]);
    file << text;
    if (file.flush()) return 0;
    std::fprintf(stderr, "reex_manual: %s cannot be written\n", arguments[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reex_manual: %s\n", error.what());
  }
  return 1;
}
