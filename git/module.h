// Loads the parts of reex that are modules of their own, so that a run that does not need them does not load
// the large libraries that they are linked with.
#pragma once

#include <string>

namespace reex {

// Where a module of reex ("libreex_git.so") is: beside the runtime where reex is installed, and in the folder
// `modules` of a build; and the address of an exported symbol of it, nullptr if it cannot be loaded: then
// `problem` says why. A module is never unloaded.
std::string module_path(const std::string& module);
void* module_symbol(const std::string& module, const char* symbol, std::string& problem);

} // namespace reex
