#include "larmor/fitting/fit.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "larmor/core/device/memory.hpp"
#include "larmor/fitting/design.hpp"

namespace larmor::fitting {
namespace {

class Stopwatch {
 public:
  /// Seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::vector<double> weighted(const Rows& rows, Index width) {
  std::vector<double> numbers(rows.numbers.begin(), rows.numbers.end());
  double* number = numbers.data();
  for (const double weight : rows.weight)
    for (Index column = 0; column < width; ++column) *number++ *= weight;
  return numbers;
}

/// All training rows of a fit, reduced. For a cross-validation, rows of each fold, group and kind
/// are reduced separately, without weights. Then each fit joins the triangles that it needs.
class ReducedSet {
 public:
  ReducedSet(const Settings& settings, Index columns)
      : settings_(settings),
        width_(columns + 1),
        folds_(std::max<Index>(settings.solver.folds, 1)),
        is_divided_(settings.solver.folds > 0 || settings.solver.leaves_out_groups) {
    const std::size_t cells =
        is_divided_ ? static_cast<std::size_t>(folds_) * settings.groups.size() * kinds : 1;
    cells_.assign(cells, Reduction(width_));
    weight_.resize(cells);
  }

  /// @param batch must not change before `reduce`
  void append(std::span<const Configuration> configurations, const RowBatch& batch) {
    if (!is_divided_) {
      cells_[0].append(batch.numbers(), batch.weight());
      weight_[0] = 1;
      return;
    }
    for (std::size_t n = 0; n < configurations.size(); ++n)
      append(configurations[n], batch.of_configuration()[n]);
  }

  void reduce(int threads) { Reduction::reduce(cells_, threads); }

  void finish(int threads) {
    for (Reduction& cell : cells_) triangles_.push_back(cell.finish(threads));
  }

  Triangle whole() const {
    return joined_if([](Index, std::size_t) { return true; });
  }

  /// A fit without the configurations of a group, and its errors for this group.
  LeftOut without_group(std::size_t group) const {
    return without(settings_.groups[group].name,
                   [&](Index, std::size_t of) { return of == group; });
  }
  LeftOut without_fold(Index fold) const {
    return without("fold " + std::to_string(fold + 1),
                   [&](Index of, std::size_t) { return of == fold; });
  }

 private:
  void append(const Configuration& configuration, const Rows& rows) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (rows.count[kind] == 0) continue;
      const std::size_t cell = cell_of(configuration.number % folds_, configuration.group, kind);
      require_one_weight(configuration, cell, configuration.weight[kind]);
      cells_[cell].append(
          rows.numbers.subspan(static_cast<std::size_t>(rows.first[kind] * width_),
                               static_cast<std::size_t>(rows.count[kind] * width_)));
    }
  }

  std::size_t cell_of(Index fold, std::size_t group, std::size_t kind) const {
    return (static_cast<std::size_t>(fold) * settings_.groups.size() + group) * kinds + kind;
  }

  void require_one_weight(const Configuration& configuration, std::size_t cell, double weight) {
    if (weight_[cell] == 0) weight_[cell] = weight;
    if (weight_[cell] == weight) return;
    throw InputError("the configurations of group '" + settings_.groups[configuration.group].name +
                         "' have different weights, and cross-validation needs equal ones",
                     settings_.solver.where,
                     "leave out Boltzmann weights and smartweights, or folds");
  }

  /// Calls visit(fold, group, kind, cell) for all cells with rows.
  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    for (Index fold = 0; fold < folds_; ++fold)
      for (std::size_t group = 0; group < settings_.groups.size(); ++group)
        for (std::size_t kind = 0; kind < kinds; ++kind)
          if (const std::size_t cell = cell_of(fold, group, kind); triangles_[cell].rows() > 0)
            visit(fold, group, kind, cell);
  }

  template <class Chosen>
  Triangle joined_if(const Chosen& is_chosen) const {
    if (!is_divided_) return triangles_[0];
    std::vector<WeightedTriangle> parts;
    for_each_cell([&](Index fold, std::size_t group, std::size_t, std::size_t cell) {
      if (is_chosen(fold, group)) parts.push_back({&triangles_[cell], weight_[cell]});
    });
    return parts.empty() ? Triangle{width_, {}, 0} : joined(parts);
  }

  /// @param name the configurations that are left out, for the message
  Solution solved_without(const std::string& name, const Triangle& rest) const {
    try {
      return solve(rest, settings_.solver);
    } catch (const InputError& error) {
      throw InputError("without '" + name + "': " + error.problem(), error.where(),
                       error.remedy() + "; or leave out the cross-validation");
    }
  }

  template <class Chosen>
  LeftOut without(const std::string& name, const Chosen& is_left_out) const {
    const Triangle rest =
        joined_if([&](Index fold, std::size_t group) { return !is_left_out(fold, group); });
    const Solution found = solved_without(name, rest);
    LeftOut left{name, {}, {}};
    for_each_cell([&](Index fold, std::size_t group, std::size_t kind, std::size_t cell) {
      if (!is_left_out(fold, group)) return;
      left.count[kind] += triangles_[cell].rows_reduced;
      left.error[kind] += residual_of(triangles_[cell], found.x);
    });
    for (std::size_t kind = 0; kind < kinds; ++kind)
      left.error[kind] = left.count[kind] > 0
                             ? std::sqrt(left.error[kind] / static_cast<double>(left.count[kind]))
                             : std::numeric_limits<double>::quiet_NaN();
    return left;
  }

  const Settings& settings_;
  Index width_, folds_;
  bool is_divided_;
  std::vector<Reduction> cells_;  ///< (fold, group, kind), or one
  std::vector<double> weight_;    ///< [cells]
  std::vector<Triangle> triangles_;
};

/// Calls use(configurations, batch) for all configurations, batch by batch.
template <class Use>
void for_each_batch(RowSource& source, std::span<const Configuration> configurations,
                    const Use& use) {
  RowBatch batch;
  for (std::size_t first = 0, last = 0; first < configurations.size(); first = last) {
    for (double share = 0; last < configurations.size() && share < 1; ++last)
      share += source.share_of_batch(configurations[last]);
    const auto chosen = configurations.subspan(first, last - first);
    source.compute(chosen, batch);
    use(chosen, batch);
  }
}

void count_set(Fit& fit, std::span<const Configuration> configurations) {
  fit.configurations = std::ssize(configurations);
  for (const Configuration& configuration : configurations) {
    fit.atoms += configuration.atoms();
    if (configuration.is_test) ++fit.tests;
  }
}

/// @throws MachineError if the rows of all training configurations do not fit into memory
void require_memory_for_rows(const Design& design, std::span<const Configuration> configurations) {
  Index rows = 0;
  for (const Configuration& configuration : configurations)
    for (const Kind kind : {Kind::energy, Kind::force, Kind::stress})
      if (!configuration.is_test) rows += design.row_count(configuration, kind);
  const double bytes =
      sizeof(double) * static_cast<double>(rows) * static_cast<double>(design.columns() + 1);
  const FreeMemory free = free_memory();
  if (bytes > free.bytes)
    throw MachineError(fmt::format(
        "the method normal-equations keeps {} rows of {} numbers, which need {} of memory, but "
        "{}; write method = \"qr\", which keeps no rows",
        rows, design.columns() + 1, memory_text(bytes), free.description()));
}

void cross_validate(Fit& fit, const Settings& settings, const ReducedSet& set) {
  if (settings.solver.leaves_out_groups)
    for (std::size_t group = 0; group < settings.groups.size(); ++group)
      fit.groups_left_out.push_back(set.without_group(group));
  for (Index fold = 0; fold < settings.solver.folds; ++fold)
    fit.folds.push_back(set.without_fold(fold));
}

}  // namespace

Fit fit(const Settings& settings, std::span<const Configuration> configurations,
        const Device& device, const std::function<void(Index)>& advance) {
  Fit fit;
  const int threads = device.threads;
  const Design design(settings);
  const std::unique_ptr<RowSource> source = row_source_on(device, design);
  fit.columns = design.columns();
  fit.coefficients_of_element = design.coefficients_of_element();
  count_set(fit, configurations);
  Stopwatch watch;
  const bool keeps_rows = settings.solver.method == Method::normal_equations;
  const bool validates = settings.solver.folds > 0 || settings.solver.leaves_out_groups;
  if (keeps_rows) require_memory_for_rows(design, configurations);
  ReducedSet reduced(settings, design.columns());
  NormalEquations normal(design.columns());
  for_each_batch(*source, configurations,
                 [&](std::span<const Configuration> chosen, const RowBatch& batch) {
                   fit.rows += std::ssize(batch.weight());
                   for (const Rows& rows : batch.of_configuration())
                     if (keeps_rows && !rows.numbers.empty())
                       normal.append(weighted(rows, design.columns() + 1));
                   if (!keeps_rows || validates) reduced.append(chosen, batch);
                   reduced.reduce(threads);
                   Index atoms = 0;
                   for (const Configuration& configuration : chosen) atoms += configuration.atoms();
                   if (advance) advance(atoms);
                 });
  reduced.finish(threads);
  fit.seconds_of_rows = watch.lap();
  fit.solution =
      keeps_rows ? normal.solve(settings.solver, threads) : solve(reduced.whole(), settings.solver);
  cross_validate(fit, settings, reduced);
  fit.seconds_of_solution = watch.lap();
  fit.potential = design.potential(fit.solution.x);
  fit.errors = errors_of(fit.potential, settings, configurations, device);
  fit.seconds_of_errors = watch.lap();
  return fit;
}

}  // namespace larmor::fitting
