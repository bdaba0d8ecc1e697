#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/figures/figures.h"
#include "report/figures/plots.h"
#include "report/html/html_text.h"

namespace reex {
namespace {

// The full colour is that of a factor of 16, or a sixteenth.
constexpr double k_octaves = 4;

std::string cell(const std::optional<Estimate>& factor) {
  if (!factor || factor->known == Known::unknown)
    return fmt::format("<td class=\"heat none\">{}</td>", html(factor_text(factor)));
  const double octaves = std::log2(factor->value);
  const double weight = std::min(1.0, std::abs(octaves) / k_octaves);
  const char* side = octaves > 0.005 ? " fewer" : octaves < -0.005 ? " more" : "";
  return fmt::format("<td class=\"heat{}\" style=\"--w:{:.0f}%\">{}</td>", side, 100 * weight,
                     html(factor_text(factor)));
}

} // namespace

std::string heat_map(const std::string& corner, const std::vector<std::string>& columns,
                     const std::vector<HeatRow>& rows) {
  std::string text = fmt::format(
      "<div class=\"scroll\">\n<table class=\"heats\">\n<thead><tr><th scope=\"col\">{}</th>", html(corner));
  for (const std::string& column : columns)
    text += fmt::format("<th scope=\"col\" class=\"num\">{}</th>", html(column));
  text += "</tr></thead>\n<tbody>\n";
  for (const HeatRow& row : rows) {
    text += fmt::format("<tr><th scope=\"row\">{}{}</th>", html(row.name),
                        row.note.empty() ? "" : " <span class=\"quiet\">" + html(row.note) + "</span>");
    for (const auto& factor : row.factors) text += cell(factor);
    text += "</tr>\n";
  }
  text += "</tbody>\n</table>\n</div>\n<p class=\"key\" aria-hidden=\"true\">";
  for (const auto& [octaves, name] :
       {std::pair{-4.0, "1/16"}, {-2.0, "1/4"}, {0.0, "1"}, {2.0, "4"}, {4.0, "16"}}) {
    text += fmt::format("<span class=\"heat{}\" style=\"--w:{:.0f}%\">{}</span>",
                        octaves > 0   ? " fewer"
                        : octaves < 0 ? " more"
                                      : "",
                        100 * std::abs(octaves) / k_octaves, name);
  }
  return text + "</p>\n";
}

} // namespace reex
