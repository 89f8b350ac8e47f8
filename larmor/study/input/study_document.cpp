#include "larmor/study/input/study_document.hpp"

#include "larmor/imports/formats.hpp"
#include "larmor/io/files/toml.hpp"

namespace larmor::study {

StudyDocument read_document(const std::string& path) {
  if (std::optional<imports::Import> import = imports::import_file(path))
    return {import->study, imports::commented_toml(*import), std::move(import->notes)};
  std::string text = io::read_text(path);
  Value value = io::parse_toml(text, path);
  return {std::move(value), std::move(text), {}};
}

}  // namespace larmor::study
