#include "larmor/fitting/toml_input.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/atoms/cell/elements.hpp"
#include "larmor/core/input/fields.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/files/toml.hpp"

namespace larmor::fitting {
namespace {

namespace fs = std::filesystem;

struct FormTable {
  static constexpr const char* name = "snap";
  double rcutfac = 0, rfac0 = 0.99363, rmin0 = 0;
  int twojmax = 0;
  int switchflag = 1, bzeroflag = 1, quadraticflag = 0, chemflag = 0, bnormflag = 0,
      wselfallflag = 0, switchinnerflag = 0;
  bool constant = true;
  std::vector<double> sinner, dinner;
  TablePosition where;

  static FieldTable<FormTable> fields() {
    FieldTable<FormTable> table;
    table
        .required("rcutfac", &FormTable::rcutfac, Dimension::none,
                  "the cutoff of a pair in Angstrom is rcutfac times the sum of both radii")
        .positive()
        .required("twojmax", &FormTable::twojmax, Dimension::none, "2J")
        .at_least(0)
        .at_most(atoms::snap::most_twojmax)
        .optional("rfac0", &FormTable::rfac0, Dimension::none, "factor of the angle of a neighbour")
        .positive()
        .optional("rmin0", &FormTable::rmin0, Dimension::none, "distance of angle 0, Angstrom")
        .at_least(0)
        .optional("constant", &FormTable::constant, Dimension::none,
                  "fit the constant beta_0 of each element; if false, it is 0")
        .optional("sinner", &FormTable::sinner, Dimension::none,
                  "middle of the inner switch of each element, Angstrom")
        .optional("dinner", &FormTable::dinner, Dimension::none,
                  "half width of the inner switch of each element, Angstrom")
        .positive();
    const auto flag = [&](const char* key, int FormTable::*member) {
      table.optional(key, member, Dimension::none, "0 or 1, as in .snapparam files")
          .at_least(0)
          .at_most(1);
    };
    flag("switchflag", &FormTable::switchflag);
    flag("bzeroflag", &FormTable::bzeroflag);
    flag("quadraticflag", &FormTable::quadraticflag);
    flag("chemflag", &FormTable::chemflag);
    flag("bnormflag", &FormTable::bnormflag);
    flag("wselfallflag", &FormTable::wselfallflag);
    flag("switchinnerflag", &FormTable::switchinnerflag);
    return table;
  }
};

struct ElementTable {
  static constexpr const char* name = "element";
  std::string symbol;
  double radius = 0.5, weight = 1, energy_shift = 0;
  TablePosition where;

  static FieldTable<ElementTable> fields() {
    return FieldTable<ElementTable>()
        .required("name", &ElementTable::symbol, Dimension::none, "symbol of the element")
        .not_empty()
        .optional("radius", &ElementTable::radius, Dimension::none,
                  "R of its atoms, in units of rcutfac")
        .positive()
        .optional("weight", &ElementTable::weight, Dimension::none,
                  "weight of its atoms as neighbours")
        .optional("energy_shift", &ElementTable::energy_shift, Dimension::none,
                  "added to the energy of the set for each atom, eV");
  }
};

struct DataTable {
  static constexpr const char* name = "data";
  std::string folder;
  std::optional<std::string> stress_unit, stress_sign, energy, forces, stress;
  TablePosition where;

  static FieldTable<DataTable> fields() {
    return FieldTable<DataTable>()
        .optional("folder", &DataTable::folder, Dimension::none,
                  "folder of the files, relative to the input")
        .optional("stress_unit", &DataTable::stress_unit, Dimension::none,
                  "unit of the stresses. The default sign of bar is compression, as in FitSNAP, "
                  "and that of the other units is tension, as in ASE")
        .one_of({"bar", "GPa", "eV/A^3"})
        .optional("stress_sign", &DataTable::stress_sign, Dimension::none,
                  "the deformation whose stress is positive")
        .one_of({"compression", "tension"})
        .optional("energy", &DataTable::energy, Dimension::none, "key of the energy of all atoms")
        .not_empty()
        .optional("forces", &DataTable::forces, Dimension::none, "name of the columns of forces")
        .not_empty()
        .optional("stress", &DataTable::stress, Dimension::none, "key of the stress")
        .not_empty();
  }
};

struct GroupTable {
  static constexpr const char* name = "group";
  std::string title;
  std::vector<std::string> files;
  double energy_weight = 0, force_weight = 0, stress_weight = 0, training = 1, testing = 0;
  TablePosition where;

  static FieldTable<GroupTable> fields() {
    return FieldTable<GroupTable>()
        .required("name", &GroupTable::title, Dimension::none, "name of the group")
        .not_empty()
        .required("files", &GroupTable::files, Dimension::none,
                  "extended XYZ files, or FitSNAP's JSON files; * and ? stand for any characters")
        .not_empty()
        .required("energy_weight", &GroupTable::energy_weight, Dimension::none,
                  "weight of the energies per atom; 0: not fitted")
        .at_least(0)
        .required("force_weight", &GroupTable::force_weight, Dimension::none,
                  "weight of the forces; 0: not fitted")
        .at_least(0)
        .required("stress_weight", &GroupTable::stress_weight, Dimension::none,
                  "weight of the stresses; 0: not fitted")
        .at_least(0)
        .optional("training", &GroupTable::training, Dimension::none,
                  "share of the configurations that are fitted, or their number above 1; they come "
                  "first in the group")
        .at_least(0)
        .optional("testing", &GroupTable::testing, Dimension::none,
                  "share or number of the next configurations, which are only tested")
        .at_least(0);
  }
};

struct ReferenceTable {
  static constexpr const char* name = "reference";
  std::array<double, 2> zbl{};
  std::vector<double> charges;
  TablePosition where;

  static FieldTable<ReferenceTable> fields() {
    return FieldTable<ReferenceTable>()
        .required("zbl", &ReferenceTable::zbl, Dimension::none,
                  "inner and outer radius of the ZBL repulsion of all pairs, Angstrom")
        .positive()
        .optional("charges", &ReferenceTable::charges, Dimension::none,
                  "charge of the nuclei of each element; by default its atomic number")
        .positive();
  }
};

struct SolverTable {
  static constexpr const char* name = "solver";
  std::string method = "qr";
  double alpha = 1e-8, cut = 1e-13;
  Index folds = 0;
  bool leave_one_group_out = false;
  TablePosition where;

  static FieldTable<SolverTable> fields() {
    return FieldTable<SolverTable>()
        .optional("method", &SolverTable::method, Dimension::none, "how the coefficients are found")
        .one_of({"qr", "svd", "normal-equations", "ridge"},
                {"Householder reflections; refuses columns that are not independent",
                 "singular values; the shortest solution if columns are not independent",
                 "A^T A x = A^T b with refinement; keeps the whole matrix in memory",
                 "adds the penalty alpha |x|^2"})
        .optional("alpha", &SolverTable::alpha, Dimension::none, "ridge: factor of the penalty")
        .positive()
        .optional("cut", &SolverTable::cut, Dimension::none,
                  "svd: singular values below this share of the largest count as 0")
        .at_least(0)
        .optional("folds", &SolverTable::folds, Dimension::none,
                  "number of folds of a cross-validation; configuration n of a group is in fold n "
                  "modulo folds; 0: none")
        .at_least(0)
        .optional("leave_one_group_out", &SolverTable::leave_one_group_out, Dimension::none,
                  "fit without each group, and compute the errors for this group");
  }
};

struct OutputTable {
  static constexpr const char* name = "output";
  std::string potential;
  TablePosition where;

  static FieldTable<OutputTable> fields() {
    return FieldTable<OutputTable>().required("potential", &OutputTable::potential, Dimension::none,
                                              "prefix of the files, relative to the input: "
                                              "PREFIX.snapcoeff, PREFIX.snapparam, PREFIX.h5");
  }
};

struct Tables {
  static constexpr const char* name = "";
  FormTable snap;
  std::vector<ElementTable> element;
  DataTable data;
  std::vector<GroupTable> group;
  std::optional<ReferenceTable> reference;
  SolverTable solver;
  std::optional<OutputTable> output;
  TablePosition where;

  static FieldTable<Tables> fields() {
    return FieldTable<Tables>()
        .required("snap", &Tables::snap, Dimension::none, "the form of the potential")
        .required("element", &Tables::element, Dimension::none, "the elements")
        .not_empty()
        .optional("data", &Tables::data, Dimension::none, "the files of the set")
        .required("group", &Tables::group, Dimension::none, "the groups of the set")
        .not_empty()
        .optional("reference", &Tables::reference, Dimension::none,
                  "a repulsion that is not fitted")
        .optional("solver", &Tables::solver, Dimension::none, "the solution")
        .optional("output", &Tables::output, Dimension::none, "the files that are written");
  }
};

atoms::snap::SnapParameters parameters_of(const FormTable& form, std::size_t elements) {
  if (form.switchinnerflag == 1)
    for (const auto* list : {&form.sinner, &form.dinner})
      if (list->size() != elements)
        throw InputError("switchinnerflag needs sinner and dinner of each element",
                         form.where.of({"sinner", "dinner", "switchinnerflag"}),
                         "write a list with a number for each element");
  if (form.switchinnerflag == 0 && !(form.sinner.empty() && form.dinner.empty()))
    throw InputError("sinner or dinner is given without switchinnerflag",
                     form.where.of({"sinner", "dinner"}), "write switchinnerflag = 1");
  return {form.rcutfac,
          form.twojmax,
          form.rfac0,
          form.rmin0,
          form.switchflag == 1,
          form.bzeroflag == 1,
          form.quadraticflag == 1,
          form.chemflag == 1,
          form.bnormflag == 1,
          form.wselfallflag == 1,
          form.switchinnerflag == 1,
          form.sinner,
          form.dinner};
}

double charge_of(const ReferenceTable& table, const ElementTable& element, std::size_t number) {
  if (!table.charges.empty()) return table.charges[number];
  const atoms::Element* found = atoms::find_element(element.symbol);
  if (found == nullptr)
    throw InputError(
        "'" + element.symbol + "' is not a chemical element, so its nuclear charge is unknown",
        element.where.of("name"), "give charges in [reference]");
  return found->Z;
}

Reference reference_of_table(const ReferenceTable& table,
                             const std::vector<ElementTable>& elements) {
  if (!table.charges.empty() && table.charges.size() != elements.size())
    throw InputError("charges has " + std::to_string(table.charges.size()) + " of " +
                         std::to_string(elements.size()) + " numbers",
                     table.where.of("charges"), "write the charge of each element");
  Reference reference{table.zbl[0], table.zbl[1], {}};
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t j = 0; j < elements.size(); ++j)
      reference.pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                                 charge_of(table, elements[i], i),
                                 charge_of(table, elements[j], j)});
  with_position(table.where.of("zbl"), [&] {
    atoms::Zbl(reference.inner, reference.outer, static_cast<std::int32_t>(elements.size()),
               reference.pairs);
  });
  return reference;
}

std::vector<std::string> lines_of(const Reference& reference) {
  std::vector<std::string> lines;
  const auto text = [](double value) {
    std::string words;
    io::append_number(words, value);
    return words;
  };
  lines.push_back("pair_style hybrid/overlay zbl " + text(reference.inner) + " " +
                  text(reference.outer));
  for (const atoms::Zbl::Nuclei& pair : reference.pairs)
    if (pair.type_i <= pair.type_j)
      lines.push_back("pair_coeff " + std::to_string(pair.type_i + 1) + " " +
                      std::to_string(pair.type_j + 1) + " zbl " + text(pair.Z_i) + " " +
                      text(pair.Z_j));
  return lines;
}

void read_data(const DataTable& data, Settings& settings) {
  settings.stress = StressUnit{"", 1, -1};
  if (data.stress_unit) settings.stress = *stress_unit(*data.stress_unit);
  if (data.stress_sign) settings.stress.sign = *data.stress_sign == "compression" ? 1 : -1;
  if (data.energy) settings.names.energy = {*data.energy};
  if (data.forces) settings.names.forces = {*data.forces};
  if (data.stress) settings.names.stress = {*data.stress};
}

Group group_of_table(const GroupTable& table, const std::string& folder) {
  Group group;
  group.name = table.title;
  group.where = table.where.of("name");
  group.weight = {table.energy_weight, table.force_weight, table.stress_weight};
  group.training = {table.training, table.training > 1};
  group.testing = {table.testing, table.testing > 1};
  for (const std::string& pattern : table.files)
    std::ranges::move(matching_files(folder, pattern, table.where.of("files")),
                      std::back_inserter(group.files));
  return group;
}

Method method_of(const std::string& word) {
  if (word == "svd") return Method::svd;
  if (word == "ridge") return Method::ridge;
  return word == "qr" ? Method::qr : Method::normal_equations;
}

/// @throws InputError for a key that only another method reads
void refuse_keys_of_other_methods(const SolverTable& solver) {
  for (const auto& [key, method] : {std::pair{"alpha", "ridge"}, std::pair{"cut", "svd"}})
    if (solver.where.has(key) && solver.method != method)
      throw InputError(std::string(key) + " has no effect with method = \"" + solver.method + '"',
                       solver.where.of(key),
                       std::string("write method = \"") + method + "\", or leave " + key + " out");
}

/// @throws InputError for two groups of one name
void require_different_names(const std::vector<GroupTable>& groups) {
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (std::size_t earlier = 0; earlier < n; ++earlier)
      if (groups[n].title == groups[earlier].title)
        throw InputError("two groups have the name '" + groups[n].title + "'",
                         groups[n].where.of("name"), "give each group a name of its own");
}

}  // namespace

Settings read_toml_input(const std::string& path, const std::string& data) {
  const Value document = io::read_toml(path);
  const Tables tables = read<Tables>(document, ReadContext::material());
  refuse_keys_of_other_methods(tables.solver);
  require_different_names(tables.group);
  Settings settings;
  settings.file = path;
  settings.text = io::read_text(path);
  settings.form.parameters = parameters_of(tables.snap, tables.element.size());
  for (const ElementTable& element : tables.element) {
    settings.form.elements.push_back({element.symbol, element.radius, element.weight, {}});
    settings.energy_shift.push_back(element.energy_shift);
  }
  complete_form(settings, tables.element.front().where);
  settings.has_constant = tables.snap.constant;
  read_data(tables.data, settings);
  if (tables.reference) {
    settings.reference = reference_of_table(*tables.reference, tables.element);
    settings.reference_lines = lines_of(*settings.reference);
  }
  const fs::path here = fs::path(path).parent_path();
  const std::string folder = data.empty() ? (here / tables.data.folder).string() : data;
  for (const GroupTable& group : tables.group)
    settings.groups.push_back(group_of_table(group, folder));
  const auto stress = static_cast<std::size_t>(Kind::stress);
  // Without a unit, stresses count only if a weight asks for them.
  settings.uses[stress] = !settings.stress.name.empty() ||
                          std::ranges::any_of(settings.groups, [&](const Group& group) {
                            return group.weight[stress] > 0;
                          });
  const SolverTable& solver = tables.solver;
  settings.solver = {method_of(solver.method),   solver.alpha, solver.cut, solver.folds,
                     solver.leave_one_group_out, solver.where};
  if (solver.folds == 1)
    throw InputError("folds is 1, so no configuration would be left to fit",
                     solver.where.of("folds"), "write 0, or a number above 1");
  if (tables.output) settings.potential = tables.output->potential;
  return settings;
}

std::vector<FieldInfo> toml_input_keys() { return describe<Tables>(); }

}  // namespace larmor::fitting
