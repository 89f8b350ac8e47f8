#include "larmor/core/input/suggest.hpp"

#include <algorithm>
#include <tuple>

namespace larmor {
namespace {

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 100;  // limits the work that hostile input can cause
  if (word.size() > longest_word) return std::nullopt;
  const std::string lower = lower_case(word);
  using Score = std::tuple<std::size_t, std::size_t>;  // distance without case, with case
  Score best{word.size() / 3 + 1, 0};                  // a candidate must be below this
  const std::string* found = nullptr;
  for (const auto& candidate : candidates) {
    const Score score{edit_distance(lower, lower_case(candidate)), edit_distance(word, candidate)};
    if (score < best) {
      best = score;
      found = &candidate;
    }
  }
  if (found == nullptr) return std::nullopt;
  return *found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto candidate = closest(word, candidates);
  return candidate ? "did you mean '" + *candidate + "'?" : "";
}

std::string hint_and_list(std::string_view word, const std::vector<std::string>& candidates,
                          const std::string& introduction) {
  const std::string hint = did_you_mean(word, candidates);
  std::string list = introduction + " " + comma_list(candidates);
  if (hint.empty()) return list;
  list[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(list[0])));
  return hint + " " + list;
}

std::string comma_list(const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) {
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

}  // namespace larmor
