#include "tests/fuzz/studies.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>

#include "larmor/core/error.hpp"
#include "larmor/imports/crystal_file.hpp"
#include "larmor/imports/formats.hpp"
#include "larmor/imports/tb2j/tb2j.hpp"
#include "larmor/imports/uppasd/uppasd.hpp"
#include "larmor/imports/vampire/vampire.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/study/scan/scan_check.hpp"
#include "larmor/symmetry/bond_symmetry.hpp"
#include "tests/fuzz/require.hpp"

namespace larmor::fuzzing {
namespace {

namespace fs = std::filesystem;

constexpr Index most_elements = 2000;  // larger systems would be slow
constexpr std::size_t most_atoms = 100;
constexpr std::size_t most_files = 20;

void check_points(const study::Scan& scan) {
  if (scan.points() > 3) return;
  for (Index point = 0; point < scan.points(); ++point) {
    const study::Study study = scan.study(point);
    // Results hold the completed study, from which a run resumes.
    const std::string whole = study::completed_study(study);
    require(whole == study::completed_study(study::parse_study(whole, scan.file(), study.folder)),
            "the completed study is another study");
    const study::SystemSize size = study.tables->blueprint()->size();
    if (size.sites > most_elements || study.replicas > 16) return;
  }
  study::check_scan(scan, {"cpu", "", 1}, nullptr);
}

/// The study must be equal to the text that `larmor convert` writes.
void check_text(const imports::Import& import) {
  const std::string text = imports::commented_toml(import);
  std::string again;
  try {
    again = to_toml(io::parse_toml(text, "written.toml"));
  } catch (const InputError& error) {
    throw std::logic_error(std::string("the written study is not TOML: ") + error.what());
  }
  require(again == to_toml(import.study), "the written study is another study");
}

void check_points(const imports::Import& import, const std::string& path) {
  check_points(study::Scan(study::StudyDocument{import.study, "", import.notes}, path,
                           fs::path(path).parent_path().string()));
}

void check_import(const imports::Import& import, const std::string& path) {
  check_text(import);
  check_points(import, path);
}

using ReadImport = imports::Import (*)(const std::string& path, const imports::ImportOptions&);

/// @param read for a file without the marks of its program
void check_file(const std::string& path, ReadImport read,
                const imports::ImportOptions& options = {}) {
  if (const std::optional<imports::Import> import = imports::import_file(path, options))
    return check_import(*import, path);
  read(path, options);
}

/// The study of a crystal with the keys that its user has to add.
imports::Import with_stage(imports::Import import) {
  const Value added = io::parse_toml(
      "field.B = ['0 T', '0 T', '1 T']\n"
      "[[stage]]\nkind = 'monte-carlo'\ntemperature = '10 K'\nsweeps = 10\n",
      "added.toml");
  for (const Value::Entry& entry : added.as_table()) import.study.set(entry.key, entry.value);
  return import;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() < 40 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
         });
}

/// Writes the files that a text holds into a new folder.
class UnpackedFolder {
 public:
  explicit UnpackedFolder(const std::string& path) : folder_(path + "-files") {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    const std::string heading = "=== ";
    std::ifstream file(path, std::ios::binary);
    std::ofstream part;
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) {
      const bool begins = line.starts_with(heading) && is_plain_name(line.substr(heading.size()));
      if (begins && ++count <= most_files)
        part = std::ofstream(folder_ / line.substr(heading.size()), std::ios::binary);
      else if (part.is_open())
        part << line << (file.eof() ? "" : "\n");
    }
  }
  UnpackedFolder(const UnpackedFolder&) = delete;
  UnpackedFolder& operator=(const UnpackedFolder&) = delete;
  ~UnpackedFolder() { fs::remove_all(folder_); }

  std::string path_of(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

}  // namespace

void check_study(const std::string& path) { check_points(study::Scan::read(path)); }

void check_tb2j(const std::string& path) {
  for (const bool anisotropic : {false, true}) check_file(path, imports::read_tb2j, {anisotropic});
}

void check_vampire(const std::string& path) { check_file(path, imports::read_vampire); }

void check_crystal(const std::string& path) {
  const imports::CrystalFile file = imports::read_crystal(path);
  require(file.marks.size() == file.crystal.basis.size(), "atoms have no place in the file");
  require(file.moments.empty() || file.moments.size() == file.marks.size(), "moments are missing");
  // The symmetry takes long for many atoms.
  if (file.marks.size() > most_atoms) return;
  const imports::SpinCrystal spins = imports::with_spins(file, {});
  if (const std::optional<imports::Import> import = imports::import_file(path)) check_text(*import);
  check_points(with_stage(imports::study_of(file, spins)), path);
  with_position({path, 0, 0, ""}, [&] {
    const symmetry::SpaceGroup group =
        symmetry::space_group(spins.crystal, spins.surroundings, spins.moments);
    require(!group.operations.empty(), "the group has no operation");
    for (std::size_t atom = 0; atom < spins.crystal.basis.size(); ++atom)
      require(!symmetry::orbit_of(group, spins.crystal, static_cast<int>(atom)).images.empty(),
              "a site has no orbit");
  });
}

void check_uppasd_folder(const std::string& path) {
  const UnpackedFolder folder(path);
  check_file(folder.path_of("inpsd.dat"), imports::read_uppasd);
}

void check_vampire_folder(const std::string& path) {
  const UnpackedFolder folder(path);
  check_vampire(folder.path_of("input"));
}

}  // namespace larmor::fuzzing
