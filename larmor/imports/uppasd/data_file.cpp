#include "larmor/imports/uppasd/data_file.hpp"

#include <cctype>
#include <utility>

namespace larmor::imports::uppasd {

bool begins_comment(std::string_view word) {
  return !word.empty() && std::string_view("#!%*=").find(word[0]) != std::string_view::npos;
}

DataFile::DataFile(const std::string& path) : lines_(path) {
  while (lines_.next()) {
    io::TextRow row = lines_.row_without(",");
    if (row.columns() > 0 && !begins_comment(row.word(0))) rows_.push_back(std::move(row));
  }
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace larmor::imports::uppasd
