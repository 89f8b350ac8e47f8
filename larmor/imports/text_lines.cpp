#include "larmor/imports/text_lines.hpp"

#include <algorithm>

namespace larmor::imports {
namespace {

std::shared_ptr<const SourceText> lines_of(const std::string& path) {
  auto source = std::make_shared<SourceText>();
  source->file = path;
  for (io::TextRowReader reader(path); reader.next();) source->lines.push_back(reader.row().text());
  return source;
}

}  // namespace

TextLines::TextLines(const std::string& path) : source_(lines_of(path)) {}

bool TextLines::next() {
  if (line_ >= static_cast<int>(source_->lines.size())) return false;
  row_ = io::TextRow(source_->file, line_ + 1, source_->lines[static_cast<std::size_t>(line_)]);
  ++line_;
  return true;
}

SourcePosition TextLines::end() const {
  return {source_->file, static_cast<int>(source_->lines.size()) + 1, 1, ""};
}

io::TextRow TextLines::row_without(const std::string& separators) const {
  std::string text = row_.text();
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return separators.find(c) != std::string::npos; },
      ' ');
  return {source_->file, line_, std::move(text)};
}

}  // namespace larmor::imports
