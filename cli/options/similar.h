// Names that are not known, and the name that was probably meant. Every error about a name uses this:
// options, verbs, settings, variables, values.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reex {

// The number of letters to insert, to leave out, to change, or to swap with their neighbour.
std::size_t edit_distance(std::string_view one, std::string_view other);

// The candidate that differs least from the word, in upper or lower case; "" if all differ by too much to be
// meant: by more than a third of the word.
std::string most_similar(std::string_view word, std::span<const std::string> candidates);

// "did you mean bound?" or, without such a candidate, `otherwise`.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise);

} // namespace reex
