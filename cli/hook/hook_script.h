// The text of the pre-push hook, a script for sh.
#pragma once

#include <string>
#include <vector>

namespace reex {

constexpr const char* k_kept_hook = "pre-push.before-reex";

struct HookScript {
  std::string reex;                      // the absolute path of this program
  bool chains = false;                   // run the hook that was there before
  bool sets_tests = false;               // the installation has set reex.test
  std::vector<std::string> tests_before; // the values of reex.test that it replaced
};

std::string script_text(const HookScript& script);

// Whether the text is that of a hook of reex, of any version.
bool is_hook_script(const std::string& text);

// What the installation has noted in a script of its own; only sets_tests and tests_before.
HookScript read_hook_script(const std::string& text);

} // namespace reex
