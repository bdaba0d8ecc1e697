// A small program with a history of two commits, built from its working tree.
#pragma once

#include <filesystem>
#include <string>

namespace reex::capp_test {

struct Sample {
  std::filesystem::path folder;
  std::filesystem::path binary;
};

// A fresh repository in a folder of its own under the tests' temporary folder; `also_touch` names a file that
// a third commit adds alone, "" makes none. Throws std::runtime_error with the command that failed.
Sample make_sample(const std::string& name, const std::string& also_touch = "");

// Builds the program again: "clang++ -O2".
void build(const Sample& sample, const std::string& compiler);

// Runs the command with a shell; returns its exit status.
int run(const std::string& command);

} // namespace reex::capp_test
