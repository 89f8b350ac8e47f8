#include "larmor/fitting/training_set.hpp"

#include <algorithm>
#include <filesystem>

#include "larmor/core/input/suggest.hpp"
#include "larmor/fitting/json_configuration.hpp"
#include "larmor/io/structures/atom_frames.hpp"
#include "larmor/io/structures/atom_values.hpp"
#include "larmor/io/structures/extxyz_frames.hpp"

namespace larmor::fitting {
namespace {

/// The entry of the first of these keys that the frame has.
const io::ExtxyzEntry* find_entry(const io::ExtxyzReader& reader,
                                  const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const io::ExtxyzEntry* found = reader.find(name)) return found;
  return nullptr;
}

const io::ExtxyzProperty* find_forces(const io::ExtxyzColumns& columns,
                                      const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (columns.find(name) != nullptr) return &columns.require(name, "R", 3);
  return nullptr;
}

/// A stress of nine numbers. The upper triangle counts.
Stress stress_of(const io::ExtxyzEntry& entry) {
  const io::TextRow row(entry.where.file, entry.where.line, entry.value);
  constexpr std::size_t numbers = 9;
  if (row.columns() != numbers)
    throw InputError("the stress has " + std::to_string(row.columns()) + " of 9 numbers",
                     entry.where, "write the rows of the matrix one after the other");
  std::array<double, numbers> s{};
  for (std::size_t n = 0; n < numbers; ++n)
    s[n] = io::parse_real(row.word(n), "the stress", entry.where);
  return {s[0], s[4], s[8], s[1], s[2], s[5]};
}

/// Structures and targets of an extended XYZ file. Two readers read it, one for the structures and
/// one for the targets.
class ExtxyzSet {
 public:
  ExtxyzSet(const std::string& path, const TargetNames& names)
      : structures_(path, {}), targets_(path), names_(names) {}

  std::optional<Configuration> next() {
    std::optional<io::AtomFrame> frame = structures_.next();
    if (!frame) return std::nullopt;
    targets_.require_frame();
    Configuration found;
    found.frame = std::move(*frame);
    found.frame.further_values.clear();
    if (const io::ExtxyzEntry* entry = find_entry(targets_, names_.energy))
      found.energy = io::parse_real(entry->value, "the energy", entry->where);
    if (const io::ExtxyzEntry* entry = find_entry(targets_, names_.stress))
      found.stress = stress_of(*entry);
    const io::ExtxyzColumns columns = targets_.columns();
    if (const io::ExtxyzProperty* forces = find_forces(columns, names_.forces))
      for (Index i = 0; i < targets_.atoms(); ++i)
        found.forces.push_back(io::read_vector(targets_.next_atom(), forces->first, "the force"));
    return found;
  }

 private:
  io::StructureReader structures_;
  io::ExtxyzReader targets_;
  const TargetNames& names_;
};

bool is_json(const std::string& path) {
  return std::filesystem::path(path).extension().string() == ".json";
}

std::vector<Configuration> read_group(const Group& group, std::size_t number,
                                      const Settings& settings) {
  std::vector<Configuration> all;
  const auto add = [&](Configuration configuration) {
    configuration.group = number;
    all.push_back(std::move(configuration));
  };
  for (const std::string& file : group.files) {
    if (is_json(file)) {
      add(read_json_configuration(file));
      continue;
    }
    ExtxyzSet set(file, settings.names);
    while (std::optional<Configuration> configuration = set.next()) add(std::move(*configuration));
  }
  return all;
}

/// Drops the configurations that are not used, and marks those that are tested. In the order of the
/// group, training configurations come first, then tested ones, as in FitSNAP.
void divide(const Group& group, std::vector<Configuration>& all) {
  const auto count = static_cast<Index>(all.size());
  const Index training = group.training.of(count);
  if (training > count)
    throw InputError("group '" + group.name + "' has " + std::to_string(count) +
                         " configurations, and " + std::to_string(training) + " shall train",
                     group.where, "correct the size of the group");
  const Index wanted = group.tests_rest ? count - training : group.testing.of(count);
  const Index testing = std::min(wanted, count - training);
  all.resize(static_cast<std::size_t>(training + testing));
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].number = static_cast<Index>(n);
    all[n].is_test = static_cast<Index>(n) >= training;
  }
}

void require_elements(const Configuration& configuration, const Settings& settings) {
  std::vector<std::string> known;
  for (const atoms::snap::SnapElement& element : settings.form.elements)
    known.push_back(element.name);
  const atoms::NamedStructure& atoms = configuration.frame.atoms;
  for (std::size_t kind = 0; kind < atoms.species.size(); ++kind) {
    if (std::find(known.begin(), known.end(), atoms.species[kind]) != known.end()) continue;
    const auto first =
        std::find(atoms.types.begin(), atoms.types.end(), static_cast<std::int32_t>(kind));
    if (first == atoms.types.end()) continue;
    throw InputError("the fit has no element '" + atoms.species[kind] + "'",
                     configuration.frame.where_atom(first - atoms.types.begin()),
                     hint_and_list(atoms.species[kind], known));
  }
}

void require_targets(const Configuration& configuration, const Group& group,
                     const Settings& settings) {
  const std::array<const char*, kinds> remedy{
      "write the key energy, the energy of all atoms in eV",
      "write the columns forces:R:3, or set the weight of the forces of this group to 0",
      "write the key stress with nine numbers, or set the weight of the stress of this group to 0"};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (!settings.uses[kind] || group.weight[kind] == 0) continue;
    if (!configuration.has(static_cast<Kind>(kind)))
      throw InputError(std::string("the configuration has no ") + kind_names[kind],
                       configuration.frame.where, remedy[kind]);
  }
  if (configuration.stress && settings.uses[static_cast<std::size_t>(Kind::stress)]) {
    if (!configuration.frame.atoms.has_volume())
      throw InputError("the configuration has a stress, but no cell with a volume",
                       configuration.frame.where_box, "give the Lattice, or leave out the stress");
    if (settings.stress.name.empty())
      throw InputError(
          "the unit and the sign of the stress are not known", configuration.frame.where,
          "set stress_unit in [data]: \"bar\" is positive under compression, as in FitSNAP; "
          "\"eV/A^3\" is positive under tension, as in ASE");
  }
}

/// Adds the shifts of the elements to the energy.
void shift(Configuration& configuration, const Settings& settings) {
  if (!configuration.energy) return;
  const atoms::NamedStructure& atoms = configuration.frame.atoms;
  for (std::size_t e = 0; e < settings.form.elements.size(); ++e) {
    if (settings.energy_shift[e] == 0) continue;
    for (const std::int32_t type : atoms.types)
      if (atoms.species[static_cast<std::size_t>(type)] == settings.form.elements[e].name)
        *configuration.energy += settings.energy_shift[e];
  }
}

/// Weights of a group, divided by its size and the numbers of rows if the input wants it.
void weigh(std::vector<Configuration>& of_group, const Group& group, const Settings& settings) {
  const auto tests = static_cast<double>(std::ranges::count_if(
      of_group, [](const Configuration& configuration) { return configuration.is_test; }));
  for (Configuration& configuration : of_group) {
    configuration.weight = group.weight;
    const auto atoms = static_cast<double>(configuration.atoms());
    if (!settings.divides_weights) continue;
    const double count =
        configuration.is_test ? tests : static_cast<double>(of_group.size()) - tests;
    for (double& weight : configuration.weight) weight /= count;
    configuration.weight[1] /= 3 * atoms;
    configuration.weight[2] /= 6;
  }
}

}  // namespace

void turn_to_lammps(Configuration& configuration) {
  auto& [a, b, c] = configuration.frame.atoms.box.vectors;
  if (!(dot(a, cross(b, c)) > 0))
    throw InputError("the vectors of the cell are left-handed", configuration.frame.where_box,
                     "exchange two vectors: LAMMPS and FitSNAP need a right-handed cell");
  const Vec3<double> normal = cross(a, b);
  const bool is_turned = a.y == 0 && a.z == 0 && b.z == 0 && a.x > 0 && b.y > 0;
  if (is_turned) return;
  const Vec3<double> x = (1 / length(a)) * a, z = (1 / length(normal)) * normal, y = cross(z, x);
  const auto turned = [&](const Vec3<double>& v) {
    return Vec3<double>{dot(x, v), dot(y, v), dot(z, v)};
  };
  if (configuration.stress) {
    const Stress s = *configuration.stress;
    const auto times = [&](const Vec3<double>& v) {
      return turned({s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z,
                     s[4] * v.x + s[5] * v.y + s[2] * v.z});
    };
    const Vec3<double> of_x = times(x), of_y = times(y), of_z = times(z);
    configuration.stress = {of_x.x, of_y.y, of_z.z, of_x.y, of_x.z, of_y.z};
  }
  for (Vec3<double>& force : configuration.forces) force = turned(force);
  for (Vec3<double>& r : configuration.frame.atoms.positions) r = turned(r);
  a = {length(a), 0, 0};
  b = {dot(x, b), dot(y, b), 0};
  c = turned(c);
  configuration.frame.atoms.cell = configuration.frame.atoms.box.vectors;
}

std::vector<Configuration> read_training_set(const Settings& settings) {
  std::vector<Configuration> all;
  for (std::size_t n = 0; n < settings.groups.size(); ++n) {
    const Group& group = settings.groups[n];
    std::vector<Configuration> of_group = read_group(group, n, settings);
    divide(group, of_group);
    for (Configuration& configuration : of_group) {
      require_elements(configuration, settings);
      require_targets(configuration, group, settings);
      shift(configuration, settings);
      if (settings.turns_to_lammps) turn_to_lammps(configuration);
    }
    weigh(of_group, group, settings);
    std::ranges::move(of_group, std::back_inserter(all));
  }
  return all;
}

}  // namespace larmor::fitting
