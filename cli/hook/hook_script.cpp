#include "cli/hook/hook_script.h"

#include <sstream>

#include "report/text/shell_quote.h"

namespace reex {
namespace {

constexpr const char* k_mark = "# reex pre-push hook";
constexpr const char* k_sets_tests = "# reex.test was set by this installation";
constexpr const char* k_test_before = "# reex.test was before: ";

// A hook that runs this one again, as another tool may after its own installation, would do so without end.
constexpr const char* k_begin = R"sh(
if [ -n "$REEX_HOOK_RUNS" ]; then exit 0; fi
REEX_HOOK_RUNS=1; export REEX_HOOK_RUNS
refs="$(cat)"
)sh";

constexpr const char* k_chain = R"sh(
# The hook that was here before gets the same arguments and standard input. Its failure stops the push. It has run
# already if its tool was installed again and now calls this script.
kept="$(dirname "$0")/pre-push.before-reex"
if [ -x "$kept" ] && ! cmp -s "$kept" "$(dirname "$0")/pre-push"; then
  { if [ -n "$refs" ]; then printf '%s\n' "$refs"; fi; } | "$kept" "$@" || exit $?
fi
)sh";

constexpr const char* k_run = R"sh(
if [ -z "$refs" ]; then exit 0; fi
if [ ! -x "$reex" ]; then
  found="$(command -v reex)"
  if [ -z "$found" ]; then
    echo "reex: $reex is gone, so nothing was tested: install reex, then run reex hook install" >&2
    if [ "$(git config --get reex.hook.on-error)" = block ]; then exit 2; fi
    exit 0
  fi
  reex="$found"
fi
printf '%s\n' "$refs" | "$reex" hook run -- "$@"
)sh";

} // namespace

std::string script_text(const HookScript& script) {
  std::string text = "#!/bin/sh\n";
  text += std::string(k_mark) + ": tests what git push sends. `reex hook uninstall` takes it away.\n";
  if (script.sets_tests) text += std::string(k_sets_tests) + '\n';
  for (const std::string& value : script.tests_before) text += k_test_before + value + '\n';
  text += "reex=" + shell_quote(script.reex) + '\n';
  text += k_begin;
  if (script.chains) text += k_chain;
  return text + k_run;
}

bool is_hook_script(const std::string& text) {
  return text.starts_with("#!") && text.find(std::string("\n") + k_mark) != std::string::npos;
}

HookScript read_hook_script(const std::string& text) {
  HookScript script;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == k_sets_tests) script.sets_tests = true;
    if (line.starts_with(k_test_before))
      script.tests_before.push_back(line.substr(std::string(k_test_before).size()));
  }
  return script;
}

} // namespace reex
