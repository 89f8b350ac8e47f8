#include "larmor/study/models/atoms/measurements/thermodynamic_series.hpp"

#include <cmath>
#include <numbers>

#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::study {
namespace {

struct SeriesName {
  const char* name;
  const char* unit;
};

constexpr SeriesName energies_and_pressures[] = {
    {"temperature", "K"},   {"potential_energy", "eV"},   {"kinetic_energy", "eV"},
    {"total_energy", "eV"}, {"conserved_quantity", "eV"}, {"pressure", "GPa"},
    {"pressure_xx", "GPa"}, {"pressure_yy", "GPa"},       {"pressure_zz", "GPa"},
    {"pressure_xy", "GPa"}, {"pressure_xz", "GPa"},       {"pressure_yz", "GPa"}};
constexpr SeriesName box_lengths[] = {
    {"volume", "Å^3"}, {"cell_a", "Å"}, {"cell_b", "Å"}, {"cell_c", "Å"}};
constexpr SeriesName box_angles[] = {
    {"cell_alpha", "deg"}, {"cell_beta", "deg"}, {"cell_gamma", "deg"}};

std::vector<SeriesName> names_of(const std::optional<atoms::CellShape>& shape) {
  std::vector<SeriesName> names(std::begin(energies_and_pressures),
                                std::end(energies_and_pressures));
  if (shape) names.insert(names.end(), std::begin(box_lengths), std::end(box_lengths));
  if (shape == atoms::CellShape::triclinic)
    names.insert(names.end(), std::begin(box_angles), std::end(box_angles));
  return names;
}

double angle_between(const Vec3<double>& a, const Vec3<double>& b) {
  return 180 / std::numbers::pi * std::atan2(length(cross(a, b)), dot(a, b));
}

}  // namespace

ThermodynamicSeries::ThermodynamicSeries(const Table& table, const MdContext& course)
    : SeriesMeasurement(name, complete(table, course.read), table.every, course), course_(course) {}

Index ThermodynamicSeries::numbers(const Sizing&) const {
  return std::ssize(names_of(course_.shape));
}

std::vector<Observable> ThermodynamicSeries::observables(const Simulation&) const {
  std::vector<Observable> observables;
  // `sample` measures all observables together, so each has no function of its own.
  for (const SeriesName& series : names_of(course_.shape))
    observables.push_back({series.name, series.unit, 1, nullptr});
  return observables;
}

std::vector<std::vector<double>> ThermodynamicSeries::values(const AtomSystem& system) const {
  const int threads = system.device.threads;
  const std::vector<double> kinetic = kinetic_energies(system.state, threads);
  const std::vector<double> potential = potential_energies(system.state);
  const std::vector<double> conserved = course_.conserved();
  const std::vector<atoms::SymmetricTensor> stresses = kinetic_stresses(system.state, threads);
  const std::vector<atoms::Box> boxes = boxes_of(system.state);
  const std::vector<atoms::SymmetricTensor> virials = system.state.virial.to_host();
  const double GPa = atoms::gigapascal(course_.read.constants);
  std::vector<std::vector<double>> values(names_of(course_.shape).size());
  for (std::size_t r = 0; r < kinetic.size(); ++r) {
    const auto replica = static_cast<Index>(r);
    const atoms::SymmetricTensor P = atoms::pressure(boxes[r], stresses[r], virials[r]);
    std::vector<double> of_replica{temperature(system.state, replica, kinetic[r]),
                                   potential[r],
                                   kinetic[r],
                                   potential[r] + kinetic[r],
                                   conserved[r],
                                   (P[0] + P[1] + P[2]) / (3 * GPa)};
    for (const double component : P) of_replica.push_back(component / GPa);
    const auto& [a, b, c] = boxes[r].vectors;
    for (const double x : {boxes[r].volume(), length(a), length(b), length(c), angle_between(b, c),
                           angle_between(c, a), angle_between(a, b)})
      of_replica.push_back(x);
    for (std::size_t n = 0; n < values.size(); ++n) values[n].push_back(of_replica[n]);
  }
  return values;
}

void ThermodynamicSeries::sample(const Simulation& simulation, const Instant& now,
                                 MeasurementQueue& queue, ResultsGroup&) {
  announce(now);
  std::vector<Pending> parts;
  for (std::vector<double>& numbers : values(atom_system(simulation)))
    parts.emplace_back(std::move(numbers));
  queue.push(std::move(parts), [this](const std::vector<std::vector<double>>& numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n) keep(n, numbers[n].data(), numbers[n].size());
  });
}

}  // namespace larmor::study
