// A small program with a history of two commits. It is built from its working tree.
#pragma once

#include <filesystem>
#include <string>

namespace reex::capp_test {

struct Sample {
  std::filesystem::path folder;
  std::filesystem::path binary;
};

// Makes a new repository in its own folder below the tests' temporary folder. If `also_touch` is not "", a
// third commit adds only the file with this name. Throws std::runtime_error with the command that failed.
Sample make_sample(const std::string& name, const std::string& also_touch = "");

// Builds the program again, with a compiler such as "clang++ -O2".
void build(const Sample& sample, const std::string& compiler);

// Runs the command with a shell; returns its exit status.
int run(const std::string& command);

} // namespace reex::capp_test
