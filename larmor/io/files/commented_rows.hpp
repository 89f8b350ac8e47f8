#pragma once
// Rows of text files in which `#` begins a comment, anywhere in a line.

#include <algorithm>

#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {

/// The row without its comment. Quotation marks become blanks, as in LAMMPS.
inline TextRow without_comment(const std::string& path, const TextRow& row) {
  std::string text = row.text().substr(0, row.text().find('#'));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || c == '\''; }, ' ');
  return {path, row.line(), std::move(text)};
}

}  // namespace larmor::io
