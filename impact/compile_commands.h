// compile_commands.json: where it lies and what of its commands libclang needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impact/parse.h"

namespace reex::impact {

// Reads a file, or the file in a folder; nullopt with a line in `problem` if it is not there or not readable.
// Several commands for one source are kept if they differ in what matters to a parser.
std::optional<std::vector<ParseJob>> read_compile_commands(const std::string& path, std::string& problem);

// The path of the first compile_commands.json beside the binary, in a folder above it (up to the repository's
// root), in one of the build folders, at the root or in one of the root's own folders; "" if there is none.
std::string find_compile_commands(const std::string& binary, const std::vector<std::string>& build_folders,
                                  const std::string& root);

// What a parser needs of a compiler's command line: include paths, macros, the language and what changes its
// meaning. Everything else (outputs, warnings, g++'s own options, sanitizers) is dropped.
std::vector<std::string> parser_arguments(const std::vector<std::string>& command);

// A shell command as words: quotes and backslashes, no expansion.
std::vector<std::string> split_command(const std::string& command);

} // namespace reex::impact
