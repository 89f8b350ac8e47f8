#include "larmor/study/reweighting/reweighting.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/statistics/mbar.hpp"
#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Numbers of blocks of a state, as far as samples allow, and their length in autocorrelation
/// times.
constexpr Index fewest_blocks = 20, most_blocks = 128;
constexpr double block_length = 20;
/// Fewer samples give no useful free-energy difference or average.
constexpr double fewest_samples = 10;
/// The scatter of fewer independent samples is not known well enough.
constexpr double reliable_samples = 50;

/// Columns of powers and products of the series for averages. The order parameter m gives m, m^2
/// and m^4; the further series follow unchanged.
constexpr std::size_t powers = 3;

std::size_t columns_of(const Samples& samples) { return powers + samples.series.size() - 1; }

/// Cuts the series of a state into groups of replicas, and each group into blocks of time.
struct SampleBlocks {
  Index replicas, samples;  ///< in each replica
  Index groups, blocks;

  Index count() const { return groups * blocks; }
  Index of(Index sample, Index replica) const {
    return replica * groups / replicas * blocks + sample * blocks / samples;
  }
};

SampleBlocks blocks_of(Index replicas, Index samples, double tau) {
  const Index groups = std::min(replicas, most_blocks);
  const Index least = std::min(samples, (fewest_blocks + groups - 1) / groups);
  const Index most = std::max(least, most_blocks / groups);
  const double fitting = static_cast<double>(samples) / std::max(block_length * tau, 1.0);
  const double blocks = std::clamp(fitting, static_cast<double>(least), static_cast<double>(most));
  return {replicas, samples, groups, static_cast<Index>(blocks)};
}

/// The sum over the samples of one block in one cell of the energy.
struct Entry {
  std::uint32_t cell, block;  ///< blocks counted through all states
};

/// The number of independent samples of a block, and its state.
struct Block {
  std::size_t state;
  double count = 0;
};

/// The data of a system, in the form that a draw of the bootstrap reads.
struct Histogram {
  std::vector<double> energy;  ///< one for each cell
  std::vector<double> b;       ///< one for each state
  std::vector<double> mean;    ///< mean energy of each state
  std::vector<Entry> entries;  ///< by rising cell
  std::vector<double> sums;    ///< (entry, 1 + columns): independent samples, and their columns
  std::vector<Block> blocks;
  std::vector<std::size_t> first_block;  ///< one for each state, and the end of the last
  std::size_t columns = 0;
};

/// Sums over the samples of each cell.
struct CellSums {
  HistogramCounts counts;
  std::vector<double> columns;  ///< (cell, column)
};

/// A cell for each energy, or cells of equal width. @return the cell of each energy
std::vector<std::uint32_t> cells_of(const std::vector<double>& energies,
                                    std::vector<double>& cell_energy) {
  std::vector<double> sorted = energies;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::uint32_t> cell;
  cell.reserve(energies.size());
  if (sorted.size() <= most_cells) {
    cell_energy = sorted;
    for (const double E : energies)
      cell.push_back(static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), E) -
                                                sorted.begin()));
    return cell;
  }
  const double low = sorted.front();
  const double width = (sorted.back() - low) / static_cast<double>(most_cells);
  std::vector<double> sum(most_cells), count(most_cells);
  for (const double E : energies) {
    const std::size_t at = std::min(static_cast<std::size_t>((E - low) / width), most_cells - 1);
    cell.push_back(static_cast<std::uint32_t>(at));
    sum[at] += E - low;
    ++count[at];
  }
  // Cells without samples get no index.
  std::vector<std::uint32_t> place(most_cells);
  cell_energy.clear();
  for (std::size_t at = 0; at < most_cells; ++at) {
    place[at] = static_cast<std::uint32_t>(cell_energy.size());
    if (count[at] > 0) cell_energy.push_back(low + sum[at] / count[at]);
  }
  for (std::uint32_t& at : cell) at = place[at];
  return cell;
}

/// Writes the columns of one sample.
void columns_at(const SampledState& state, std::size_t i, double* column) {
  const double m2 = state.series[0][i] * state.series[0][i];
  column[0] = state.series[0][i];
  column[1] = m2;
  column[2] = m2 * m2;
  for (std::size_t s = 1; s < state.series.size(); ++s) column[powers + s - 1] = state.series[s][i];
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value - x.front();
  return x.front() + sum / static_cast<double>(x.size());
}

/// Autocorrelation time of a state, in samples. The estimate says whether samples are enough to
/// find it.
Estimate slowest(const SampledState& state) {
  std::vector<double> m2;
  m2.reserve(state.energy.size());
  for (const double m : state.series[0]) m2.push_back(m * m);
  const Estimate of_energy = estimate_replicas(state.energy, state.replicas);
  Estimate of_order = estimate_replicas(m2, state.replicas);
  of_order.reliable = of_order.reliable && of_energy.reliable;
  // A time is NaN for one sample, or for samples that are all equal.
  of_order.autocorrelation_time =
      std::fmax(0.5, std::fmax(of_energy.autocorrelation_time, of_order.autocorrelation_time));
  return of_order;
}

Histogram histogram_of(const SampledSystem& system, const Samples& samples,
                       std::vector<StateSummary>& summaries) {
  Histogram histogram;
  histogram.columns = columns_of(samples);
  std::vector<double> energies;
  for (const SampledState& state : system.states)
    energies.insert(energies.end(), state.energy.begin(), state.energy.end());
  const std::vector<std::uint32_t> cells = cells_of(energies, histogram.energy);

  struct Sample {
    std::uint32_t cell, block;
    std::size_t state, at;
  };
  std::vector<Sample> all;
  all.reserve(energies.size());
  std::vector<double> worth;
  histogram.first_block.push_back(0);
  for (std::size_t k = 0; k < system.states.size(); ++k) {
    const SampledState& state = system.states[k];
    const Estimate slow = slowest(state);
    const double tau = slow.autocorrelation_time;
    const Index in_replica = std::ssize(state.energy) / state.replicas;
    const SampleBlocks blocks = blocks_of(state.replicas, in_replica, tau);
    if (blocks.count() < 2)
      throw InputError("there is only one sample at the " + samples.parameter.name + " " +
                           number_text(state.parameter) + " of " + state.source,
                       "errors need several samples: run more sweeps or replicas");
    const auto first = static_cast<std::uint32_t>(histogram.blocks.size());
    histogram.blocks.resize(histogram.blocks.size() + static_cast<std::size_t>(blocks.count()),
                            Block{k});
    histogram.first_block.push_back(histogram.blocks.size());
    worth.push_back(1 / std::max(1.0, 2 * tau));
    for (std::size_t i = 0; i < state.energy.size(); ++i) {
      const auto n = static_cast<Index>(i);
      const auto block =
          first + static_cast<std::uint32_t>(blocks.of(n / state.replicas, n % state.replicas));
      histogram.blocks[block].count += worth[k];
      all.push_back({cells[all.size()], block, k, i});
    }
    histogram.b.push_back(state.b);
    histogram.mean.push_back(mean_of(state.energy));
    summaries.push_back({state.parameter, std::ssize(state.energy), tau, blocks.count(), nan, nan,
                         slow.reliable && blocks.count() >= fewest_blocks});
  }
  std::stable_sort(all.begin(), all.end(), [](const Sample& one, const Sample& other) {
    return one.cell != other.cell ? one.cell < other.cell : one.block < other.block;
  });
  const std::size_t width = 1 + histogram.columns;
  std::vector<double> column(histogram.columns);
  for (const Sample& sample : all) {
    if (histogram.entries.empty() || histogram.entries.back().cell != sample.cell ||
        histogram.entries.back().block != sample.block) {
      histogram.entries.push_back({sample.cell, sample.block});
      histogram.sums.resize(histogram.sums.size() + width, 0.0);
    }
    columns_at(system.states[sample.state], sample.at, column.data());
    double* const sums = histogram.sums.data() + histogram.sums.size() - width;
    sums[0] += worth[sample.state];
    for (std::size_t c = 0; c < column.size(); ++c) sums[1 + c] += worth[sample.state] * column[c];
  }
  return histogram;
}

/// @param times how often each block counts
CellSums cell_sums(const Histogram& histogram, const std::vector<double>& times) {
  CellSums sums;
  sums.counts.of_cell.assign(histogram.energy.size(), 0.0);
  sums.counts.of_state.assign(histogram.b.size(), 0.0);
  sums.columns.assign(histogram.energy.size() * histogram.columns, 0.0);
  const double* entry = histogram.sums.data();
  for (const Entry& indices : histogram.entries) {
    const double factor = times[indices.block];
    sums.counts.of_cell[indices.cell] += factor * entry[0];
    double* const column = sums.columns.data() + indices.cell * histogram.columns;
    for (std::size_t c = 0; c < histogram.columns; ++c) column[c] += factor * entry[1 + c];
    entry += 1 + histogram.columns;
  }
  for (std::size_t block = 0; block < times.size(); ++block)
    sums.counts.of_state[histogram.blocks[block].state] +=
        times[block] * histogram.blocks[block].count;
  return sums;
}

/// BITS: a seed of its own, so that draws share no random numbers with the simulation.
constexpr std::uint64_t bootstrap_seed = 0x72657765696768;

/// How often each block is drawn. B - 1 of B blocks are drawn, so that means scatter with the
/// correct variance.
std::vector<double> drawn(const Histogram& histogram, const SampledSystem& system, Index draw,
                          std::uint64_t seed) {
  // Each system has its own draws.
  const RandomKey key{bootstrap_seed + seed, static_cast<std::uint64_t>(system.sites),
                      Stream::perturbation, static_cast<std::uint64_t>(system.twin) << 12};
  std::vector<double> times(histogram.blocks.size(), 0.0);
  for (std::size_t state = 0; state < histogram.b.size(); ++state) {
    const std::size_t first = histogram.first_block[state];
    const std::size_t count = histogram.first_block[state + 1] - first;
    const double each = static_cast<double>(count) / static_cast<double>(count - 1);
    for (std::size_t n = 0; n + 1 < count; ++n) {
      const auto words =
          philox(key, static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(state),
                 static_cast<std::uint32_t>(n / 4));
      times[first + (words.w[n % 4] * count >> 32)] += each;
    }
  }
  return times;
}

/// Means at one parameter. Energies are relative to an origin.
struct Moments {
  double e, e2;                ///< <E>, <E^2>
  std::vector<double> x, x_e;  ///< <x> and <x E> of each column
};

Moments moments_of(const Histogram& histogram, double origin, const CellSums& sums,
                   const std::vector<double>& weight, const std::vector<double>& change) {
  const std::size_t columns = histogram.columns;
  Moments moments{0, 0, std::vector<double>(columns), std::vector<double>(columns)};
  double total = 0;
  for (std::size_t cell = 0; cell < histogram.energy.size(); ++cell) {
    const double w = weight[cell] * change[cell];
    const double counted = w * sums.counts.of_cell[cell];
    const double E = histogram.energy[cell] - origin;
    total += counted;
    moments.e += counted * E;
    moments.e2 += counted * E * E;
    const double* const column = sums.columns.data() + cell * columns;
    for (std::size_t c = 0; c < columns; ++c) {
      moments.x[c] += w * column[c];
      moments.x_e[c] += w * column[c] * E;
    }
  }
  moments.e /= total;
  moments.e2 /= total;
  for (double& x : moments.x) x /= total;
  for (double& x : moments.x_e) x /= total;
  return moments;
}

constexpr const char* scaled_length = "correlation_length_over_edge";

bool has_correlation_length(const SampledSystem& system, const Samples& samples) {
  return samples.structure_factor > 0 && system.edge() > 1;
}

/// Names and units of the results of `quantities`.
std::vector<Curve> curves_of(const SampledSystem& system, const Samples& samples) {
  const std::string& order = samples.series.front().name;
  const std::string& unit = samples.series.front().unit;
  const auto power = [&](const std::string& n) { return unit.empty() ? "" : unit + "^" + n; };
  const std::string& energy = samples.parameter.energy;
  const bool thermal = samples.parameter.is_temperature();
  std::vector<Curve> curves{
      {energy, samples.energy_unit, {}, {}, {}},
      {thermal ? "specific_heat" : energy + "_slope", thermal ? "k_B" : "", {}, {}, {}},
      {order, unit, {}, {}, {}},
      {order + "_squared", power("2"), {}, {}, {}},
      {order + "_fourth", power("4"), {}, {}, {}},
      {"susceptibility", samples.susceptibility_unit, {}, {}, {}},
      {"binder_cumulant", "", {}, {}, {}},
      {"binder_cumulant_slope", samples.energy_unit, {}, {}, {}},
      {order + "_log_slope", samples.energy_unit, {}, {}, {}},
  };
  for (std::size_t s = 1; s < samples.series.size(); ++s)
    curves.push_back({samples.series[s].name, samples.series[s].unit, {}, {}, {}});
  if (has_correlation_length(system, samples)) {
    curves.push_back({scaled_length, "", {}, {}, {}});
    curves.push_back({std::string(scaled_length) + "_slope", samples.energy_unit, {}, {}, {}});
  }
  return curves;
}

/// All quantities at one parameter.
std::vector<double> quantities(const Moments& moments, double b, double origin,
                               const SampledSystem& system, const Samples& samples) {
  const auto N = static_cast<double>(system.sites);
  const double m = moments.x[0], m2 = moments.x[1], m4 = moments.x[2];
  const double variance = moments.e2 - moments.e * moments.e;
  const bool thermal = samples.parameter.is_temperature();
  const auto slope = [&](std::size_t column) {
    return moments.x[column] * moments.e - moments.x_e[column];
  };
  std::vector<double> values{
      (moments.e + origin) / system.energy_scale,
      thermal ? b * b * variance / N : -variance / system.energy_scale,
      m,
      m2,
      m4,
      samples.susceptibility_factor * (thermal ? b : 1) * N * (m2 - m * m),
      1 - m4 / (3 * m2 * m2),
      (2 * m4 / m2 * slope(1) - slope(2)) / (3 * m2 * m2),
      slope(1) / m2,
  };
  const std::size_t own = values.size();
  values.insert(values.end(), moments.x.begin() + powers, moments.x.end());
  if (samples.exponent > 0) values[own + samples.exponent - 1] += b * (moments.e + origin) / N;
  if (has_correlation_length(system, samples)) {
    const std::size_t column = powers + samples.structure_factor - 1;
    const auto L = static_cast<double>(system.edge());
    const double S = moments.x[column], square = std::max(0.0, N * m2 / S - 1);
    const double per_root = 1 / (2 * std::sin(std::numbers::pi / L) * L);
    values.push_back(per_root * std::sqrt(square));
    values.push_back(per_root * N * (slope(1) - m2 / S * slope(column)) /
                     (2 * S * std::sqrt(square)));
  }
  return values;
}

std::vector<double> evenly(double low, double high, Index points) {
  std::vector<double> values;
  for (Index n = 0; n < points; ++n)
    values.push_back(low + (high - low) * static_cast<double>(n) / static_cast<double>(points - 1));
  return values;
}

/// The points of a curve. For only one state: a range in which the mean energy moves by its
/// standard deviation.
std::vector<double> usual_range(const SampledSystem& system, const Parameter& parameter,
                                const Histogram& histogram) {
  const double low = system.states.front().parameter, high = system.states.back().parameter;
  if (low < high) return evenly(low, high, usual_points);
  double squares = 0, samples = 0;
  for (const SampledState& state : system.states)
    for (const double E : state.energy) {
      squares += (E - histogram.mean.front()) * (E - histogram.mean.front());
      ++samples;
    }
  const double b = histogram.b.front(), change = 1 / std::sqrt(squares / samples);
  if (!std::isfinite(change)) return {low};
  if (!parameter.is_temperature()) return evenly(low - change, low + change, usual_points);
  if (!(change < b)) return {low};
  return evenly(low * b / (b + change), low * b / (b - change), usual_points);
}

/// @param overlaps between neighbouring states, by rising parameter
void require_overlap(const SampledSystem& system, const Parameter& parameter,
                     const std::vector<double>& overlaps) {
  for (std::size_t n = 0; n < overlaps.size(); ++n) {
    if (overlaps[n] >= fewest_samples) continue;
    const std::string distance = parameter.is_temperature() ? "about k_B T^2" : "about 1";
    throw InputError("the energies sampled at the " + parameter.description() + " " +
                         number_text(system.states[n].parameter) + " and " +
                         number_text(system.states[n + 1].parameter) + " of " +
                         system.states[n + 1].source + " do not overlap" +
                         (system.name.empty() ? "" : " (" + system.name + ")"),
                     "sample " + parameter.description() +
                         " between these two. Neighbours may differ by " + distance +
                         " divided by the standard deviation of the energy, so large systems need "
                         "closer neighbours");
  }
}

void require_reach(const SampledSystem& system, const Parameter& parameter, double value,
                   double samples) {
  if (samples >= fewest_samples) return;
  throw InputError(
      "samples at the " + parameter.description() + " " +
          number_text(system.states.front().parameter) + " to " +
          number_text(system.states.back().parameter) + " do not reach " + number_text(value) +
          (system.name.empty() ? "" : " (" + system.name + ")"),
      "ask for " + parameter.description() + " within this range, or sample further ones");
}

/// Sets the errors to the scatter of the draws.
void find_errors(Curve& curve, Index draws) {
  const std::size_t points = curve.value.size();
  curve.error.assign(points, nan);
  if (draws < 2) return;
  for (std::size_t t = 0; t < points; ++t) {
    double mean = 0, squares = 0;
    for (Index d = 0; d < draws; ++d)
      mean += curve.draws[static_cast<std::size_t>(d) * points + t] / static_cast<double>(draws);
    for (Index d = 0; d < draws; ++d) {
      const double off = curve.draws[static_cast<std::size_t>(d) * points + t] - mean;
      squares += off * off;
    }
    curve.error[t] = std::sqrt(squares / static_cast<double>(draws - 1));
  }
}

}  // namespace

SystemCurves reweighted(const SampledSystem& system, const Samples& samples,
                        const ReweightOptions& options) {
  SystemCurves result;
  const Histogram histogram = histogram_of(system, samples, result.states);
  const CellSums all = cell_sums(histogram, std::vector<double>(histogram.blocks.size(), 1.0));
  const Mbar solved(histogram.energy, histogram.b, all.counts, histogram.mean);
  // The overlaps are in the order of b. Temperatures fall in this order.
  std::vector<double> overlaps = solved.overlaps();
  if (samples.parameter.is_temperature()) std::reverse(overlaps.begin(), overlaps.end());
  require_overlap(system, samples.parameter, overlaps);
  if (!solved.converged())
    throw InternalError("the equations of multi-histogram reweighting were not solved");
  const std::vector<double> free_energies = solved.free_energies();
  const std::size_t states = histogram.b.size();
  bool reliable = true;
  for (std::size_t k = 0; k < states; ++k) {
    result.states[k].free_energy = free_energies[k];
    if (k + 1 < states) result.states[k].overlap = overlaps[k];
    reliable = reliable && result.states[k].reliable;
  }

  result.parameter = options.parameter.empty() ? usual_range(system, samples.parameter, histogram)
                                               : options.parameter;
  std::vector<double> b;
  std::vector<std::vector<double>> weights;
  for (const double value : result.parameter) {
    b.push_back(samples.parameter.b(value));
    result.effective_samples.push_back(solved.effective_samples(b.back()));
    if (!options.parameter.empty())
      require_reach(system, samples.parameter, value, result.effective_samples.back());
    result.reliable.push_back(reliable && result.effective_samples.back() >= reliable_samples);
    weights.push_back(solved.weights(b.back()));
  }

  const double origin = mean_of(histogram.energy);
  result.curves = curves_of(system, samples);
  const std::size_t points = b.size();
  for (Curve& curve : result.curves) {
    curve.value.resize(points);
    curve.draws.resize(static_cast<std::size_t>(options.draws) * points);
  }
  const auto evaluate = [&](const CellSums& sums, const std::vector<double>& change,
                            const auto& keep) {
    for (std::size_t t = 0; t < points; ++t) {
      const std::vector<double> values = quantities(
          moments_of(histogram, origin, sums, weights[t], change), b[t], origin, system, samples);
      for (std::size_t q = 0; q < values.size(); ++q) keep(q, t, values[q]);
    }
  };
  evaluate(all, std::vector<double>(histogram.energy.size(), 1.0),
           [&](std::size_t q, std::size_t t, double x) { result.curves[q].value[t] = x; });
  parallel_for(options.threads, options.draws, [&](Index draw) {
    const CellSums sums = cell_sums(histogram, drawn(histogram, system, draw, options.seed));
    evaluate(sums, solved.changes(sums.counts), [&](std::size_t q, std::size_t t, double x) {
      result.curves[q].draws[static_cast<std::size_t>(draw) * points + t] = x;
    });
  });
  for (Curve& curve : result.curves) find_errors(curve, options.draws);
  return result;
}

}  // namespace larmor::study
