#include "larmor/study/run/study_results.hpp"

#include "larmor/io/files/input_file.hpp"
#include "larmor/study/run/provenance.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {
namespace {

std::vector<std::uint64_t> checksums(const std::vector<std::string>& files) {
  std::vector<std::uint64_t> values;
  for (const std::string& file : files) values.push_back(io::file_checksum(file));
  return values;
}

}  // namespace

void write_head(io::ResultsFile& results, const Study& study) {
  results.set_attribute("/", "format", io::results_format);
  results.set_attribute("/", "format_version", io::results_format_version);
  results.set_attribute("/", "title", study.title);
  results.set_attribute("/", "units", study.units);
  results.set_attribute("/", "completed", Index{0});
}

std::vector<std::string> files_read(const Study& study) {
  std::vector<std::string> files = study.tables->files();
  for (const Value& table : study.stage)
    for (const std::string& file : make_stage(study, table)->files(study.folder))
      files.push_back(file);
  return files;
}

void write_files_read(io::ResultsFile& results, const std::vector<std::string>& files) {
  if (files.empty()) return;
  results.write("/study/files", files);
  results.write("/study/file_checksums", checksums(files));
}

void require_same_files(const std::vector<std::string>& files, const std::string& results) {
  if (files.empty()) return;
  const io::ResultsReader reader(results);
  const auto before = reader.read<std::uint64_t>("/study/file_checksums");
  const std::vector<std::uint64_t> now = checksums(files);
  for (std::size_t n = 0; n < files.size(); ++n)
    if (before[n] != now[n])
      throw InputError("'" + files[n] + "' has changed since the study began",
                       "put the old file back, or run the study anew");
}

void require_not_completed(const io::ResultsReader& results, const std::string& path) {
  if (results.attributes("/").at("completed").integer() != 0)
    throw InputError("'" + path + "' is complete; there is nothing to resume",
                     "`larmor show` prints the results; `larmor run --force` runs the study again "
                     "and replaces these results");
}

void write_completed(io::ResultsFile& results, const std::string& leg) {
  finish_provenance(results, leg);
  results.set_attribute("/", "completed", Index{1});
  results.commit();
}

}  // namespace larmor::study
