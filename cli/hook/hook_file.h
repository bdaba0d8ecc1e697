// Installs the pre-push hook, and takes it away again.
//
// Invariants: a hook that is there already is kept beside it, under the name k_kept_hook, and runs first.
// What cannot be kept so is left alone, and the installation is refused. uninstall_hook() leaves the folder
// as it was before install_hook(). At every moment there is either the old hook or the new one, or none for
// an instant.
//
// Errors: UsageError, CommandError with status 6 outside of a repository.
#pragma once

#include <string>
#include <vector>

namespace reex {

// What was done, a line each, for the user.
struct HookReport {
  std::vector<std::string> lines;
};

// `binaries` are paths relative to the repository's root, or absolute: they become reex.test of the
// repository's configuration. Empty: this is left as it is.
HookReport install_hook(const std::string& reex, const std::vector<std::string>& binaries);
HookReport uninstall_hook();

} // namespace reex
