// larmor symmetry: the couplings that the symmetry of a crystal allows.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/text.hpp"
#include "larmor/imports/crystal_file.hpp"
#include "larmor/study/models/spins/system/study_crystal.hpp"
#include "larmor/symmetry/coupling_tables.hpp"

namespace larmor::cli {
namespace {

/// Bonds up to this multiple of the nearest distance are listed by default.
constexpr double default_reach = 1.75;

struct Symmetry final : Command {
  std::string path;
  std::string folder;  ///< for files that a study names; empty: the folder of the study
  std::optional<double> distance, tolerance;
  std::vector<std::string> species;
  bool keeps_order = false, as_json = false;

  Symmetry();
  void add_options(CLI::App& app) override;
  int run() override;
};

/// Everything that the command prints.
struct SymmetryReport {
  std::string path, choice;
  const char* zero = symmetry::material_zero;
  std::vector<std::string> notes;
  imports::SpinCrystal spins;
  symmetry::SpaceGroup group;
  std::vector<symmetry::SiteOrbit> sites;
  std::vector<symmetry::BondOrbit> bonds;
};

std::string number_text(double value) {
  return fmt::format("{:.6g}", std::abs(value) < 1e-9 ? 0.0 : value);
}

std::string vector_text(const Vec3<double>& v) {
  return fmt::format("{}, {}, {}", number_text(v.x), number_text(v.y), number_text(v.z));
}

/// Adds the symmetry of the crystal that was read.
void add_symmetry(const Symmetry& options, SymmetryReport& report) {
  report.group = symmetry::space_group(
      report.spins.crystal, report.spins.surroundings,
      options.keeps_order ? report.spins.moments : std::vector<Vec3<double>>{});
  std::vector<bool> is_known(report.spins.crystal.basis.size(), false);
  for (std::size_t atom = 0; atom < is_known.size(); ++atom) {
    if (is_known[atom]) continue;
    report.sites.push_back(
        symmetry::orbit_of(report.group, report.spins.crystal, static_cast<int>(atom)));
    for (const symmetry::SiteImage& image : report.sites.back().images)
      is_known[static_cast<std::size_t>(image.atom)] = true;
  }
  report.bonds = symmetry::orbits_within(
      report.group, report.spins.crystal,
      options.distance.value_or(default_reach * symmetry::nearest_spins(report.spins.crystal)));
}

SymmetryReport report_of(const Symmetry& options) {
  SymmetryReport report;
  report.path = options.path;
  SourcePosition of_cell{options.path, 0, 0, ""};
  if (imports::is_crystal(options.path)) {
    const imports::CrystalFile file = imports::read_crystal(options.path);
    report.spins = imports::with_spins(file, options.species);
    report.choice = report.spins.choice;
    report.notes = file.notes;
    of_cell = file.of_cell.position();
  } else {
    if (!options.species.empty())
      throw InputError(
          "--spins is for files of crystals; in a study, all atoms of the basis have "
          "spins",
          "leave --spins out");
    const study::StudyCrystal study = study::crystal_of_study(options.path, options.folder);
    report.spins.crystal = study.crystal;
    report.spins.surroundings = study.surroundings;
    if (study.is_reduced) report.zero = symmetry::reduced_zero;
  }
  imports::SpinCrystal& spins = report.spins;
  if (options.tolerance) spins.surroundings.tolerance = *options.tolerance;
  if (options.keeps_order && spins.moments.empty())
    throw InputError("'" + options.path + "' gives no moments for --order",
                     "name a magnetic CIF, or leave --order out");
  with_position(of_cell, [&] { add_symmetry(options, report); });
  return report;
}

/// Rows of a matrix with columns of equal width.
void print_matrix(const std::array<std::array<std::string, 3>, 3>& entries) {
  std::array<std::size_t, 3> width{};
  for (const auto& row : entries)
    for (std::size_t j = 0; j < 3; ++j) width[j] = std::max(width[j], row[j].size());
  for (const auto& row : entries)
    print_text("    [ {:<{}}  {:<{}}  {:<{}} ]\n", row[0], width[0], row[1], width[1], row[2],
               width[2]);
}

void print_group(const SymmetryReport& report) {
  const symmetry::SpaceGroup& group = report.group;
  const auto count = group.operations.size();
  if (group.dimensions == 1)
    print_text("{}: a chain with the point group {}, {} operations in the cell\n", report.path,
               group.symbol, count);
  else if (group.dimensions == 2)
    print_text("{}: a layer, whose stack has the space group {} ({}), {} operations in the cell\n",
               report.path, group.symbol, group.number, count);
  else
    print_text("{}: space group {} ({}), {} operations in the cell\n", report.path, group.symbol,
               group.number, count);
  if (!report.choice.empty()) print_text("{}\n", report.choice);
  print_text("{} atoms with spins and {} without; positions within {:.3g} are equal\n",
             report.spins.crystal.basis.size(), report.spins.surroundings.atoms.size(),
             group.tolerance);
}

void print_site(const SymmetryReport& report, const symmetry::SiteOrbit& orbit) {
  const int atom = orbit.images.front().atom;
  const lattice::BasisAtom& it = report.spins.crystal.basis[static_cast<std::size_t>(atom)];
  print_text("\natom {}: {} at ({}), {} in the cell, site symmetry {}\n", atom, it.species,
             vector_text(it.fractional), orbit.images.size(),
             symmetry::point_group_symbol(orbit.group));
  const symmetry::MatrixSpace space = symmetry::allowed_anisotropy(orbit.group);
  if (space.parameters() == 0) {
    print_text("  no anisotropy of second order\n");
    return;
  }
  print_text("  anisotropy - e^T A e with A =\n");
  print_matrix(symmetry::with_letters(space.symmetric));
}

void print_bond(const symmetry::BondOrbit& orbit, std::size_t number) {
  const lattice::StencilBond& bond = orbit.images.front().bond;
  print_text(
      "\nbond {}: length {}, from atom {} to atom {} of the cell at [{}, {}, {}], {} in the cell, "
      "{} at atom {}, symmetry {}\n",
      number, number_text(length(bond.r)), bond.from, bond.to, bond.offset[0], bond.offset[1],
      bond.offset[2], orbit.images.size(), orbit.bonds_at(bond.from), bond.from,
      symmetry::point_group_symbol(orbit.group));
  const symmetry::MatrixSpace space = symmetry::allowed_exchange(orbit.group);
  print_text("  coupling - e_i^T A e_j with A =\n");
  print_matrix(symmetry::with_letters(space.all()));
  if (space.antisymmetric.empty()) {
    print_text("  A is symmetric: no Dzyaloshinskii-Moriya vector\n");
    return;
  }
  const auto d = symmetry::dmi_with_letters(space.antisymmetric, space.symmetric.size());
  print_text("  Dzyaloshinskii-Moriya vector D = ({}, {}, {})\n", d[0], d[1], d[2]);
}

void print_tables(const SymmetryReport& report) {
  print_text("\nTables to copy; numbers replace the letters:\n");
  for (const symmetry::SiteOrbit& orbit : report.sites)
    if (const std::string table = symmetry::anisotropy_table(orbit, report.zero); !table.empty())
      print_text("\n{}", table);
  for (const symmetry::BondOrbit& orbit : report.bonds)
    print_text("\n{}", symmetry::exchange_table(orbit, report.zero));
}

std::string json_of(const Vec3<double>& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z);
}

std::string json_of(const std::vector<Mat3<double>>& matrices) {
  std::string text;
  for (const Mat3<double>& m : matrices)
    text += fmt::format("{}[{}, {}, {}]", text.empty() ? "" : ", ", json_of(m.row[0]),
                        json_of(m.row[1]), json_of(m.row[2]));
  return "[" + text + "]";
}

std::string json_of_letters(const std::vector<Mat3<double>>& basis) {
  auto entries = symmetry::with_letters(basis);
  for (auto& row : entries)
    for (std::string& entry : row) entry = json_string(entry);
  return symmetry::matrix_text(entries);
}

std::string json_of(const SymmetryReport& report, const symmetry::SiteOrbit& orbit) {
  std::string atoms;
  for (const symmetry::SiteImage& image : orbit.images)
    atoms += fmt::format("{}{}", atoms.empty() ? "" : ", ", image.atom);
  const int atom = orbit.images.front().atom;
  const lattice::BasisAtom& it = report.spins.crystal.basis[static_cast<std::size_t>(atom)];
  const symmetry::MatrixSpace space = symmetry::allowed_anisotropy(orbit.group);
  return fmt::format(
      "{{\"atom\": {}, \"atoms\": [{}], \"species\": {}, \"position\": {}, \"symmetry\": {}, "
      "\"anisotropy\": {}, \"letters\": {}}}",
      atom, atoms, json_string(it.species), json_of(it.fractional),
      json_string(symmetry::point_group_symbol(orbit.group)), json_of(space.symmetric),
      json_of_letters(space.symmetric));
}

std::string json_of(const symmetry::BondOrbit& orbit) {
  std::string images;
  for (const symmetry::BondImage& image : orbit.images)
    images += fmt::format(
        "{}{{\"atoms\": [{}, {}], \"offset\": [{}, {}, {}], \"rotation\": [{}, "
        "{}, {}]}}",
        images.empty() ? "" : ", ", image.bond.from, image.bond.to, image.bond.offset[0],
        image.bond.offset[1], image.bond.offset[2], json_of(image.operation.rotation.row[0]),
        json_of(image.operation.rotation.row[1]), json_of(image.operation.rotation.row[2]));
  const lattice::StencilBond& bond = orbit.images.front().bond;
  const symmetry::MatrixSpace space = symmetry::allowed_exchange(orbit.group);
  return fmt::format(
      "{{\"atoms\": [{}, {}], \"offset\": [{}, {}, {}], \"length\": {:.17g}, \"vector\": {}, "
      "\"neighbours\": {}, \"symmetry\": {}, \"symmetric\": {}, \"antisymmetric\": {}, "
      "\"letters\": {}, \"images\": [{}]}}",
      bond.from, bond.to, bond.offset[0], bond.offset[1], bond.offset[2], length(bond.r),
      json_of(bond.r), orbit.bonds_at(bond.from),
      json_string(symmetry::point_group_symbol(orbit.group)), json_of(space.symmetric),
      json_of(space.antisymmetric), json_of_letters(space.all()), images);
}

template <class Things, class Text>
std::string joined_lines(const Things& things, const Text& text) {
  std::string lines;
  for (const auto& thing : things) lines += (lines.empty() ? "\n  " : ",\n  ") + text(thing);
  return lines;
}

void print_json(const SymmetryReport& report) {
  std::string tables;
  for (const symmetry::SiteOrbit& orbit : report.sites)
    tables += symmetry::anisotropy_table(orbit, report.zero);
  for (const symmetry::BondOrbit& orbit : report.bonds)
    tables += symmetry::exchange_table(orbit, report.zero);
  fmt::print(
      "{{\"file\": {}, \"dimensions\": {}, \"number\": {}, \"symbol\": {}, \"operations\": {}, "
      "\"tolerance\": {:.17g},\n\"sites\": [{}],\n\"bonds\": [{}],\n\"tables\": {}}}\n",
      json_string(report.path), report.group.dimensions, report.group.number,
      json_string(report.group.symbol), report.group.operations.size(), report.group.tolerance,
      joined_lines(report.sites, [&](const auto& orbit) { return json_of(report, orbit); }),
      joined_lines(report.bonds, [](const auto& orbit) { return json_of(orbit); }),
      json_string(tables));
}

Symmetry::Symmetry()
    : Command("symmetry", "Print the couplings that the symmetry of a crystal allows",
              "CRYSTAL is a CIF, a magnetic CIF, a POSCAR, an extended XYZ or a study.\n"
              "Examples:\n"
              "  larmor symmetry FeI2.cif                 Bonds to near neighbours.\n"
              "  larmor symmetry FeI2.cif --distance 8    Bonds up to 8 Angstrom.\n"
              "  larmor symmetry POSCAR --spins Cr        Only Cr has spins.\n"
              "  larmor symmetry study.toml --json        Numbers for other programs.\n") {}

void Symmetry::add_options(CLI::App& app) {
  app.add_option("crystal", path, "file of the crystal, or a study")->required();
  app.add_option(
         "--distance", distance,
         "length of the longest bonds, in the units of the file (1.75 times the distance of "
         "nearest spins)")
      ->check(positive_number());
  app.add_option("--tolerance", tolerance,
                 "distance of positions that count as equal (0.001 of the distance of nearest "
                 "neighbours)")
      ->check(positive_number());
  app.add_option("--spins", species, "species with spins (magnetic elements, if there are any)")
      ->delimiter(',');
  app.add_flag("--order", keeps_order,
               "use only operations that keep or reverse the moments of a magnetic CIF");
  add_folder_option(app, folder);
  app.add_flag("--json", as_json, "print everything as JSON");
}

int Symmetry::run() {
  const SymmetryReport report = report_of(*this);
  for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", visible(note));
  if (as_json) {
    print_json(report);
    return 0;
  }
  print_group(report);
  for (const symmetry::SiteOrbit& orbit : report.sites) print_site(report, orbit);
  for (std::size_t n = 0; n < report.bonds.size(); ++n) print_bond(report.bonds[n], n + 1);
  if (report.bonds.empty()) print_text("\nno bonds up to this length\n");
  print_tables(report);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_symmetry() { return std::make_unique<Symmetry>(); }

}  // namespace larmor::cli
