// print_flags REEX compile|link|runtime|libtsan: prints what reex_flags says for a reex executable at that
// path.
#include "reex/hooks/flags.h"

#include <cstdio>
#include <exception>
#include <string>

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::string what = words[2];
  try {
    std::string text;
    if (what == "runtime")
      text = reex::runtime_library(words[1]);
    else if (what == "libtsan")
      text = reex::libtsan_directory(words[1]);
    else
      text = reex::instrument_flags(words[1], what == "compile");
    std::puts(text.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
