#include "larmor/ising/potts/potts_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"

namespace larmor::ising {
namespace {

constexpr double rounding = 1e-12;

bool are_multiples(const std::vector<double>& numbers, double quantum) {
  return std::all_of(numbers.begin(), numbers.end(), [quantum](double x) {
    const double multiple = std::abs(x / quantum);
    return multiple <= most_multiple &&
           std::abs(multiple - std::round(multiple)) <= rounding * multiple;
  });
}

}  // namespace

double quantum_of(const std::vector<double>& numbers) {
  double least = 0, most = 0;
  for (const double x : numbers) {
    if (x == 0) continue;
    least = least == 0 ? std::abs(x) : std::min(least, std::abs(x));
    most = std::max(most, std::abs(x));
  }
  if (most == 0) return 1;
  for (const int divisor : {1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60})
    if (are_multiples(numbers, least / divisor)) return least / divisor;
  return quantum_of_largest(most);
}

double quantum_of_largest(double largest) { return largest / 1073741824.0; }

std::int32_t in_quanta(double number, double quantum) {
  return static_cast<std::int32_t>(std::llround(number / quantum));
}

namespace {

/// Checks all replicas of the study, so that the division of replicas among processes changes no
/// bit of results.
bool need_lazy_sweeps(const PottsDefinition& definition) {
  const bool some_vanish =
      definition.of_replica &&
      std::find(definition.values.begin(), definition.values.end(), 0) != definition.values.end();
  if (some_vanish) return true;
  lattice::GraphComponents components(definition.sites);
  for (const lattice::CoupledPair& bond : definition.bonds)
    if (definition.of_replica || bond.J != 0) components.join(bond.i, bond.j);
  return components.need_lazy_sweeps();
}

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return largest;
}

std::vector<double> fields_of(const PottsDefinition& definition) {
  std::vector<double> fields = definition.fields;
  fields.push_back(definition.field);
  return fields;
}

double quantum_of_model(const PottsDefinition& definition) {
  const std::vector<double> fields = fields_of(definition);
  if (definition.largest > 0)
    return quantum_of_largest(std::max(definition.largest, largest_of(fields)));
  std::vector<double> numbers = definition.values;
  numbers.insert(numbers.end(), fields.begin(), fields.end());
  for (const lattice::CoupledPair& bond : definition.bonds) numbers.push_back(bond.J);
  return definition.has_fields_between ? quantum_of_largest(largest_of(numbers))
                                       : quantum_of(numbers);
}

}  // namespace

PottsModel::PottsModel(const Device& device, const PottsDefinition& definition,
                       const ReplicaShare& replicas)
    : replicas_(replicas),
      sites_(definition.sites),
      states_(definition.states),
      ising_(definition.ising) {
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  if (sites_ > most - 1024 || std::ssize(definition.bonds) > most / 2)
    throw InputError("a lattice of " + std::to_string(sites_) + " sites with " +
                         std::to_string(definition.bonds.size()) +
                         " bonds is too large for tables of bonds",
                     "use fewer sites or bonds: up to 10^9 of each");
  const lattice::Graph graph =
      lattice::graph_of(sites_, std::span<const lattice::CoupledPair>(definition.bonds));
  const lattice::Colouring colouring = lattice::greedy_colouring(graph);

  std::vector<std::int32_t> site;
  position_of_.resize(static_cast<std::size_t>(sites_));
  std::vector<std::vector<std::int32_t>> of_colour(static_cast<std::size_t>(colouring.colours));
  for (Index i = 0; i < sites_; ++i)
    of_colour[static_cast<std::size_t>(colouring.colour[static_cast<std::size_t>(i)])].push_back(
        static_cast<std::int32_t>(i));
  colour_begin_.push_back(0);
  for (const std::vector<std::int32_t>& members : of_colour) {
    for (const std::int32_t i : members) {
      position_of_[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(site.size());
      site.push_back(i);
    }
    while (site.size() % positions_of_key != 0) site.push_back(-1);
    colour_begin_.push_back(std::ssize(site));
  }

  needs_lazy_sweeps_ = need_lazy_sweeps(definition);
  quantum_ = quantum_of_model(definition);
  field_ = Array<double>(device, replicas_.count);
  set_fields(std::vector<double>(static_cast<std::size_t>(replicas_.count), definition.field));
  const Index largest_field =
      std::abs(Index{in_quanta(largest_of(fields_of(definition)), quantum_)});
  std::vector<Index> first_bond{0};
  std::vector<std::int32_t> neighbour, bond_at;
  neighbour.reserve(graph.bond.size());
  bond_at.reserve(graph.bond.size());
  std::vector<std::pair<std::int32_t, std::int32_t>> row;  // positions of neighbours, and bonds
  for (const std::int32_t i : site) {
    row.clear();
    if (i >= 0)
      for (Index n = graph.offset[static_cast<std::size_t>(i)];
           n < graph.offset[static_cast<std::size_t>(i) + 1]; ++n) {
        const auto entry = static_cast<std::size_t>(n);
        row.emplace_back(position_of_[static_cast<std::size_t>(graph.neighbour[entry])],
                         graph.bond[entry]);
      }
    std::sort(row.begin(), row.end());
    for (const auto& [position, bond] : row) {
      neighbour.push_back(position);
      bond_at.push_back(bond);
    }
    first_bond.push_back(std::ssize(neighbour));
    most_bonds_ = std::max(most_bonds_, first_bond.back() - first_bond[first_bond.size() - 2]);
  }

  const bool differ = static_cast<bool>(definition.of_replica);
  couplings_of_replica_ = differ ? std::ssize(neighbour) : 0;
  const Index kept = differ ? replicas_.count : 1;
  std::vector<std::int32_t> coupling;
  coupling.reserve(static_cast<std::size_t>(kept) * neighbour.size());
  std::vector<std::int32_t> of_bond(definition.bonds.size());
  for (Index r = 0; r < kept; ++r) {
    Index constant = 0;
    for (std::size_t n = 0; n < of_bond.size(); ++n) {
      const double own =
          differ ? definition.of_replica(static_cast<Index>(n), replicas_.first + r) : 0;
      of_bond[n] = in_quanta(definition.bonds[n].J + own, quantum_);
      if (ising_) constant += of_bond[n];
      rounds_ = rounds_ || std::abs(of_bond[n]) > most_multiple;
    }
    constant_.push_back(constant);
    for (std::size_t p = 0; p + 1 < first_bond.size(); ++p) {
      Index sum = largest_field;
      for (Index n = first_bond[p]; n < first_bond[p + 1]; ++n) {
        coupling.push_back(of_bond[static_cast<std::size_t>(bond_at[static_cast<std::size_t>(n)])]);
        sum += std::abs(Index{coupling.back()});
      }
      most_ = std::max(most_, sum);
    }
  }
  site_ = Array<std::int32_t>(device, site);
  first_bond_ = Array<Index>(device, first_bond);
  neighbour_ = Array<std::int32_t>(device, neighbour);
  coupling_ = Array<std::int32_t>(device, coupling);
  constant_on_device_ = Array<Index>(device, constant_);
}

void PottsModel::set_fields(const std::vector<double>& field) {
  std::vector<double> quanta;
  for (const double h : field) quanta.push_back(in_quanta(h, quantum_));
  field_.copy_from(quanta);
}

PottsView PottsModel::view() const {
  PottsView view{};
  view.positions = positions();
  view.states = states_;
  view.site = site_.data();
  view.first_bond = first_bond_.data();
  view.neighbour = neighbour_.data();
  view.coupling = coupling_.data();
  view.couplings_of_replica = couplings_of_replica_;
  view.field = field_.data();
  view.most = most_;
  view.quantum = (ising_ ? 2 : 1) * quantum_;
  view.has_lazy_sweeps = needs_lazy_sweeps_;
  return view;
}

EnergyOfReplica PottsModel::energy_of_replica(const std::vector<double>& field) const {
  return {quantum_, ising_, constant_.data(), std::ssize(constant_), field.data(), sites_};
}

EnergyOfReplica PottsModel::energy_of_replica_on_device() const {
  return {quantum_,      ising_, constant_on_device_.data(), std::ssize(constant_),
          field_.data(), sites_};
}

FieldFactorOfReplica PottsModel::field_factor_on_device(const double* beta) const {
  return {quantum_, ising_, beta};
}

double model_bytes(double sites, double bonds, double own) {
  return sites * (4 + 8) + 2 * bonds * (4 + 4 * std::max(1.0, own));
}

}  // namespace larmor::ising
