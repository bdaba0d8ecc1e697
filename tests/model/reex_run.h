// Runs the reex command line on a small program, and reads what the JSON report claims.
#pragma once

#include <string>

#include "tests/model/truth.h"

namespace reex::model {

class ReexRun {
public:
  // Runs leave their files in `directory`; each run replaces the report of the one before. `changed`: a
  // source of the tests, of which the lines that load, unlock and add count as changed where a heuristic is
  // asked for.
  ReexRun(std::string reex, std::string directory, const std::string& changed = "");

  Claim run(const Configuration& configuration, const std::string& binary, const std::string& argument) const;

private:
  std::string exploration(const Configuration& configuration) const;
  Claim read(const std::string& command, const std::string& report) const;

  std::string m_reex;
  std::string m_directory;
  std::string m_change; // options
};

} // namespace reex::model
