#include "report/compare/published.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/compare/comparison_json.h"

namespace reex {

Published read_published(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ComparisonFileError(path + " cannot be read: give a file of published figures");
  try {
    const auto json = nlohmann::json::parse(file);
    Published published;
    json.at("source").get_to(published.source);
    json.at("basic").get_to(published.basic);
    json.at("speed_ups").get_to(published.speed_ups);
    json.at("geometric_means").get_to(published.geometric_means);
    if (json.contains("points")) json.at("points").get_to(published.points);
    if (json.contains("threads")) json.at("threads").get_to(published.threads);
    if (json.contains("sizes"))
      for (const auto& [name, one] : json.at("sizes").items())
        published.sizes[name] = {one.at("classes"), one.at("methods"), one.at("lines")};
    if (json.contains("reasons")) json.at("reasons").get_to(published.reasons);
    if (json.contains("regressions"))
      for (const auto& [name, one] : json.at("regressions").items())
        published.regressions[name] = {one.at("repository"), one.at("fix"), one.at("fault")};
    return published;
  } catch (const nlohmann::json::exception& error) {
    throw ComparisonFileError(fmt::format(
        "{} has no published figures ({}): give a file as data/published.json", path, error.what()));
  }
}

} // namespace reex
