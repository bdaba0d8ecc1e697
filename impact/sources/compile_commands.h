// compile_commands.json: finds it, and takes from its commands what libclang needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impact/sources/parse_job.h"

namespace reex::impact {

// Reads the file, or the file in a folder. If it does not exist or cannot be read, the result is nullopt and
// `problem` gets one line. If a source has several commands, those that differ for a parser are all in the
// result.
std::optional<std::vector<ParseJob>> read_compile_commands(const std::string& path, std::string& problem);

// The path of a compile_commands.json; "" if there is none. The function looks in the binary's folder, in the
// folders above it (up to the repository's root), in the build folders, in the root, and in the root's
// folders.
std::string find_compile_commands(const std::string& binary, const std::vector<std::string>& build_folders,
                                  const std::string& root);

// The part of a compiler's command line that a parser needs: include paths, macros, the language, and options
// that change its meaning. The result does not contain outputs, warnings, options of g++ only, and
// sanitizers.
std::vector<std::string> parser_arguments(const std::vector<std::string>& command);

// Splits a shell command into words. It understands quotes and backslashes, and expands nothing.
std::vector<std::string> split_command(const std::string& command);

} // namespace reex::impact
