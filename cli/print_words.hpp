#pragma once
// Prints text for people on the standard output.

#include <fmt/core.h>

#include <utility>

#include "larmor/core/text.hpp"

namespace larmor::cli {

/// Prints like fmt::print. Control characters, which may come from a file, are escaped.
template <class... Values>
void print_words(fmt::format_string<Values...> words, Values&&... values) {
  fmt::print("{}", visible(fmt::format(words, std::forward<Values>(values)...), '\n'));
}

}  // namespace larmor::cli
