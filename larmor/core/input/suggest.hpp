#pragma once
// Suggestions "did you mean": the known word nearest to a mistyped word.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// Number of single-byte insertions, deletions, substitutions and swaps of neighbours that turn `a`
/// into `b`, no byte edited twice (restricted Damerau-Levenshtein; Damerau, CACM 7, 171 (1964)).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, without regard to case. Its distance is at most a third of the
/// length of `word`: one edit for 3 to 5 letters, none for fewer. Among equally near candidates,
/// the result is the first.
std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates);

/// "did you mean 'shell'?", or "" if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean 'shell'? There are shell, offset, pairs", or only the second sentence.
/// @param introduction "there are"
std::string hint_and_list(std::string_view word, const std::vector<std::string>& candidates,
                          const std::string& introduction = "there are");

/// "a, b, c".
std::string comma_list(const std::vector<std::string>& words);

}  // namespace larmor
