#include "larmor/imports/uppasd/data_file.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace larmor::imports::uppasd {

bool begins_comment(std::string_view word) {
  return !word.empty() && std::string_view("#!%*=").find(word[0]) != std::string_view::npos;
}

DataFile::DataFile(const std::string& path) {
  auto source = std::make_shared<SourceText>();
  source->file = path;
  io::TextRowReader reader(path);
  while (reader.next()) {
    source->lines.push_back(reader.row().text());
    std::string columns = reader.row().text();
    std::replace(columns.begin(), columns.end(), ',', ' ');
    io::TextRow row(path, reader.row().line(), std::move(columns));
    if (row.columns() > 0 && !begins_comment(row.word(0))) rows_.push_back(std::move(row));
  }
  source_ = std::move(source);
}

SourceMark DataFile::mark(const io::TextRow& row, std::size_t column) const {
  return {source_, row.line(), row.position(column).column};
}

SourcePosition DataFile::end() const {
  return {source_->file, static_cast<int>(source_->lines.size()) + 1, 0, ""};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace larmor::imports::uppasd
