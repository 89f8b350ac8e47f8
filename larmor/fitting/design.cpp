#include "larmor/fitting/design.hpp"

#include <algorithm>
#include <exception>

#include "larmor/core/device/parallel.hpp"
#include "larmor/evaluation/evaluator.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/fitting/gpu_rows.hpp"
#endif

namespace larmor::fitting {
namespace {

std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

/// The rows of a configuration while they are summed.
struct Sums {
  Index width;  ///< columns and the target
  double *energy, *force, *stress;
  double per_atom, per_volume;  ///< 1/N; factor of W in the unit of the set

  void add_value(Index column, double value) const {
    if (energy) energy[column] += per_atom * value;
  }
  /// Adds the gradient g of a function of atom i for its neighbour j at r.
  void add_gradient(Index column, Index i, Index j, const Vec3<double>& r,
                    const Vec3<double>& g) const {
    if (force) {
      double* of_i = force + 3 * i * width + column;
      double* of_j = force + 3 * j * width + column;
      of_i[0] += g.x;
      of_i[width] += g.y;
      of_i[2 * width] += g.z;
      of_j[0] -= g.x;
      of_j[width] -= g.y;
      of_j[2 * width] -= g.z;
    }
    if (stress) {
      double* to = stress + column;
      to[0] -= per_volume * r.x * g.x;
      to[width] -= per_volume * r.y * g.y;
      to[2 * width] -= per_volume * r.z * g.z;
      to[3 * width] -= per_volume * r.x * g.y;
      to[4 * width] -= per_volume * r.x * g.z;
      to[5 * width] -= per_volume * r.y * g.z;
    }
  }
};

/// Threads compute the rows of different configurations.
class CpuRows : public RowSource {
 public:
  CpuRows(const Design& design, int threads)
      : design_(design),
        threads_(threads),
        snap_(design.settings().form, atoms::snap::Method::generators, Device::cpu(1)),
        reference_(reference_of(design.settings())) {
    // A batch has enough atoms for all threads, but not too many rows for the memory.
    constexpr Index most_numbers = Index{1} << 25;
    atoms_of_batch_ =
        std::clamp<Index>(most_numbers / (4 * (design.columns() + 1)), 1, Index{512} * threads);
  }

  double share_of_batch(const Configuration& configuration) const override {
    return static_cast<double>(configuration.atoms()) / static_cast<double>(atoms_of_batch_);
  }

  void compute(std::span<const Configuration> configurations, RowBatch& batch) override {
    batch.lay_out(design_, configurations);
    std::vector<std::exception_ptr> failure(configurations.size());
    parallel_for(threads_, std::ssize(configurations), [&](Index n) {
      try {
        compute(configurations[as_size(n)], batch.of_configuration()[as_size(n)]);
      } catch (...) {
        failure[as_size(n)] = std::current_exception();
      }
    });
    // The first error of the set is reported, for any number of threads.
    for (const std::exception_ptr& error : failure)
      if (error) std::rethrow_exception(error);
  }

 private:
  void compute(const Configuration& configuration, const Rows& rows) const {
    if (rows.numbers.empty()) return;
    std::ranges::fill(rows.numbers, 0.0);
    design_.add_constants(configuration, rows);
    const std::vector<std::int32_t> elements = elements_of(design_.settings(), configuration.frame);
    const double cutoff =
        reference_ ? std::max(snap_.cutoff(), reference_->cutoff()) : snap_.cutoff();
    const atoms::NeighbourRows neighbours = evaluation::neighbours_of(configuration.frame, cutoff);
    add_columns(configuration, neighbours, elements, rows);
    design_.set_targets(configuration, reference_values(neighbours, elements), rows);
  }

  void add_columns(const Configuration& configuration, const atoms::NeighbourRows& neighbours,
                   std::span<const std::int32_t> elements, const Rows& rows) const {
    const Index width = design_.columns() + 1;
    const auto at = [&](Kind kind) -> double* {
      return rows.has(kind) ? rows.numbers.data() + rows.first_of(kind) * width : nullptr;
    };
    const Sums sums{width,
                    at(Kind::energy),
                    at(Kind::force),
                    at(Kind::stress),
                    1 / static_cast<double>(configuration.atoms()),
                    design_.stress_of_virial(configuration)};
    const std::vector<double> B = snap_.bispectrum(neighbours, elements);
    const bool has_gradients = sums.force || sums.stress;
    const std::vector<Vec3<double>> slope = has_gradients
                                                ? snap_.bispectrum_gradients(neighbours, elements)
                                                : std::vector<Vec3<double>>();
    const std::vector<Column>& functions = design_.functions();
    const Index components = snap_.components();
    for (Index i = 0; i < configuration.atoms(); ++i) {
      const Index first = design_.first_column(elements[as_size(i)]);
      const double* const of_atom = B.data() + i * components;
      for (Index n = 0; n < std::ssize(functions); ++n) {
        const Column& f = functions[as_size(n)];
        sums.add_value(first + n, f.value(of_atom[f.k], of_atom[f.l]));
      }
      if (!has_gradients) continue;
      for (Index pair = neighbours.first[as_size(i)]; pair < neighbours.first[as_size(i) + 1];
           ++pair) {
        const Vec3<double>* const g = slope.data() + pair * components;
        for (Index n = 0; n < std::ssize(functions); ++n) {
          const Column& f = functions[as_size(n)];
          sums.add_gradient(first + n, i, neighbours.neighbour[as_size(pair)],
                            neighbours.displacement[as_size(pair)],
                            f.gradient(of_atom[f.k], of_atom[f.l], g[f.k], g[f.l]));
        }
      }
    }
  }

  ReferenceValues reference_values(const atoms::NeighbourRows& neighbours,
                                   std::span<const std::int32_t> elements) const {
    if (!reference_) return {0, std::vector<Vec3<double>>(as_size(neighbours.atoms())), {}};
    const atoms::PairGradients pairs = reference_->evaluate(neighbours, elements);
    return {atoms::total(pairs.energy), atoms::forces(neighbours, pairs.gradient),
            atoms::total(atoms::virials(neighbours, pairs.gradient))};
  }

  const Design& design_;
  int threads_;
  atoms::snap::Snap snap_;
  std::optional<atoms::Zbl> reference_;
  Index atoms_of_batch_;
};

}  // namespace

std::optional<atoms::Zbl> reference_of(const Settings& settings) {
  if (!settings.reference) return std::nullopt;
  return atoms::Zbl(settings.reference->inner, settings.reference->outer,
                    static_cast<std::int32_t>(settings.form.elements.size()),
                    settings.reference->pairs);
}

std::vector<std::int32_t> elements_of(const Settings& settings, const io::AtomFrame& frame) {
  const std::vector<atoms::snap::SnapElement>& known = settings.form.elements;
  std::vector<std::int32_t> number;
  for (const std::string& name : frame.atoms.species) {
    const auto found = std::ranges::find(known, name, &atoms::snap::SnapElement::name);
    number.push_back(static_cast<std::int32_t>(found - known.begin()));
  }
  std::vector<std::int32_t> elements;
  for (const std::int32_t type : frame.atoms.types)
    elements.push_back(number[static_cast<std::size_t>(type)]);
  return elements;
}

Design::Design(const Settings& settings)
    : settings_(settings),
      functions_(columns_of_element(
          atoms::snap::component_count(settings.form.parameters,
                                       static_cast<int>(settings.form.elements.size())),
          settings.form.parameters.quadraticflag)),
      of_element_((settings.has_constant ? 1 : 0) + std::ssize(functions_)),
      columns_(of_element_ * std::ssize(settings.form.elements)) {}

Index Design::row_count(const Configuration& configuration, Kind kind) const {
  const auto n = static_cast<std::size_t>(kind);
  if (!settings_.uses[n] || configuration.weight[n] == 0 || !configuration.has(kind)) return 0;
  if (kind == Kind::force) return 3 * configuration.atoms();
  return kind == Kind::energy ? 1 : 6;
}

void Design::add_constants(const Configuration& configuration, const Rows& rows) const {
  if (!settings_.has_constant || !rows.has(Kind::energy)) return;
  double* const energy = rows.numbers.data() + rows.first_of(Kind::energy) * (columns_ + 1);
  const double per_atom = 1 / static_cast<double>(configuration.atoms());
  for (const std::int32_t element : elements_of(settings_, configuration.frame))
    energy[element * of_element_] += per_atom;
}

void Design::set_targets(const Configuration& configuration, const ReferenceValues& reference,
                         const Rows& rows) const {
  const Index width = columns_ + 1;
  const auto target = [&](Kind kind, Index row) -> double& {
    return rows.numbers[as_size((rows.first_of(kind) + row) * width + columns_)];
  };
  if (rows.has(Kind::energy))
    target(Kind::energy, 0) = (*configuration.energy - reference.energy) *
                              (1 / static_cast<double>(configuration.atoms()));
  if (rows.has(Kind::force))
    for (Index i = 0; i < configuration.atoms(); ++i) {
      const Vec3<double> f = configuration.forces[as_size(i)] - reference.forces[as_size(i)];
      target(Kind::force, 3 * i) = f.x;
      target(Kind::force, 3 * i + 1) = f.y;
      target(Kind::force, 3 * i + 2) = f.z;
    }
  if (rows.has(Kind::stress))
    for (Index d = 0; d < 6; ++d)
      target(Kind::stress, d) = (*configuration.stress)[as_size(d)] -
                                stress_of_virial(configuration) * reference.virial[as_size(d)];
}

double Design::stress_of_virial(const Configuration& configuration) const {
  return settings_.stress.sign * settings_.stress.size / configuration.frame.atoms.box.volume();
}

atoms::snap::SnapPotential Design::potential(std::span<const double> x) const {
  atoms::snap::SnapPotential potential = settings_.form;
  for (std::size_t e = 0; e < potential.elements.size(); ++e) {
    std::vector<double>& all = potential.elements[e].coefficients;
    const auto of_element = x.subspan(e * as_size(of_element_), as_size(of_element_));
    std::ranges::copy(of_element, all.begin() + (settings_.has_constant ? 0 : 1));
  }
  return potential;
}

void RowBatch::lay_out(const Design& design, std::span<const Configuration> configurations) {
  rows_.assign(configurations.size(), {});
  weight_.clear();
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    Index count = 0;
    for (std::size_t kind = 0; kind < kinds && !configurations[n].is_test; ++kind) {
      rows_[n].first[kind] = count;
      rows_[n].count[kind] = design.row_count(configurations[n], static_cast<Kind>(kind));
      count += rows_[n].count[kind];
      weight_.insert(weight_.end(), as_size(rows_[n].count[kind]), configurations[n].weight[kind]);
    }
  }
  const auto width = as_size(design.columns() + 1);
  used_ = weight_.size() * width;
  if (used_ > capacity_) {
    numbers_ = {};
    numbers_ = std::make_unique_for_overwrite<double[]>(used_);
    capacity_ = used_;
  }
  std::size_t first = 0;
  for (Rows& rows : rows_) {
    const auto count = as_size(rows.count[0] + rows.count[1] + rows.count[2]);
    rows.weight = std::span(weight_).subspan(first, count);
    rows.numbers = numbers().subspan(first * width, count * width);
    first += count;
  }
}

std::unique_ptr<RowSource> row_source_on(const Device& device, const Design& design) {
  if (device.precision != Precision::double_numbers)
    throw InputError("a fit needs double precision", "leave --precision out");
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return std::make_unique<GpuRows>(device, design);
#endif
  require_cpu(device);
  return std::make_unique<CpuRows>(design, device.threads);
}

}  // namespace larmor::fitting
