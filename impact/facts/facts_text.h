// Facts as bytes, for the cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "impact/facts/facts.h"

namespace reex::impact {

std::string to_bytes(const UnitFacts& facts);
// nullopt for bytes that to_bytes() did not write.
std::optional<UnitFacts> facts_of_bytes(std::string_view bytes);

} // namespace reex::impact
