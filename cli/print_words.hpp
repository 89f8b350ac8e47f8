#pragma once
// Words for people on the standard output.

#include <fmt/core.h>

#include <utility>

#include "larmor/core/visible_text.hpp"

namespace larmor::cli {

/// As fmt::print, but what would act on a terminal is escaped: it may come from a file.
template <class... Values>
void print_words(fmt::format_string<Values...> words, Values&&... values) {
  fmt::print("{}", visible(fmt::format(words, std::forward<Values>(values)...), '\n'));
}

}  // namespace larmor::cli
