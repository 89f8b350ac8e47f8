#include "larmor/correlations/spectra/static_structure_factor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/statistics/replicas.hpp"

namespace larmor::correlations {
namespace {

using Amplitudes = std::array<std::complex<double>, 3>;

/// Number of products of a wave vector: the trace, then xx, yy, zz, then the real and imaginary
/// parts of xy, yz, zx.
constexpr Index most_products = 10;
using Products = std::array<double, most_products>;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

Products products_of(const Amplitudes& A) {
  Products products{};
  for (std::size_t a = 0; a < 3; ++a) {
    const std::complex<double> mixed = A[a] * std::conj(A[(a + 1) % 3]);
    products[1 + a] = std::norm(A[a]);
    products[4 + 2 * a] = mixed.real();
    products[5 + 2 * a] = mixed.imag();
  }
  products[0] = products[1] + products[2] + products[3];
  return products;
}

/// The tensor (3, 3) that the numbers of products_of describe.
template <class Number>
void write_tensor(const Number& number, std::complex<double>* tensor, double sign) {
  for (Index a = 0; a < 3; ++a) {
    const Index b = (a + 1) % 3;
    const std::complex<double> mixed{number(4 + 2 * a), number(5 + 2 * a)};
    tensor[4 * a] = number(1 + a);
    tensor[3 * a + b] = mixed;
    tensor[3 * b + a] = {mixed.real(), sign * mixed.imag()};
  }
}

}  // namespace

StaticStructureFactor::StaticStructureFactor(const StaticSettings& settings) : settings_(settings) {
  clear();
}

Index StaticStructureFactor::products() const { return settings_.components ? most_products : 1; }

/// Number of rows. Connected correlations also need the real and imaginary parts of A.
Index StaticStructureFactor::rows() const { return products() + (settings_.connected ? 6 : 0); }

void StaticStructureFactor::clear() {
  samples_ = 0;
  const auto Q = static_cast<std::size_t>(settings_.wave_vectors);
  if (settings_.connected)
    sums_.assign(Q * static_cast<std::size_t>(rows() * settings_.replicas), 0.0);
  else
    binnings_.assign(Q, LogBinning(rows() * settings_.replicas));
}

double StaticStructureFactor::bytes(const StaticSettings& settings, Index samples) {
  const double columns =
      static_cast<double>(settings.components ? most_products : 1) + (settings.connected ? 6 : 0);
  const auto Q = static_cast<double>(settings.wave_vectors);
  const double column = 8 * Q * static_cast<double>(settings.replicas) * columns;
  if (settings.connected) return 2 * column;
  // A growing vector may have twice the capacity that it needs. The copy for checkpoints and the
  // averages of higher levels need memory too.
  const auto levels = std::bit_width(static_cast<std::uint64_t>(samples));
  const auto room = std::bit_ceil(static_cast<std::uint64_t>(levels));
  return Q * sizeof(LogBinning) + column * (3 * (static_cast<double>(room) + levels) + 1);
}

void StaticStructureFactor::add(const std::vector<double>& amplitudes, int threads) {
  const Region region("static structure factor");
  const Index R = settings_.replicas, Q = settings_.wave_vectors, columns = rows() * R;
  if (std::ssize(amplitudes) != 6 * Q * R)
    throw InternalError(
        "amplitudes of other wave vectors or replicas were given to a structure factor");
  ++samples_;
  // If there are few replicas, one wave vector is too little work for a task of a thread.
  const Index waves_of_task = std::max<Index>(1, 4096 / columns);
  const Index tasks = (Q + waves_of_task - 1) / waves_of_task;
  parallel_for(static_cast<int>(std::min<Index>(threads, tasks)), tasks, [&](Index task) {
    std::vector<double> numbers(static_cast<std::size_t>(columns));
    for (Index q = task * waves_of_task; q < std::min(Q, (task + 1) * waves_of_task); ++q) {
      for (Index r = 0; r < R; ++r) {
        const double* parts = amplitudes.data() + 6 * (q * R + r);
        const Products p =
            products_of({{{parts[0], parts[1]}, {parts[2], parts[3]}, {parts[4], parts[5]}}});
        for (Index row = 0; row < products(); ++row)
          numbers[static_cast<std::size_t>(row * R + r)] = p[static_cast<std::size_t>(row)];
        for (Index row = products(); row < rows(); ++row)
          numbers[static_cast<std::size_t>(row * R + r)] = parts[row - products()];
      }
      if (!settings_.connected) {
        binnings_[static_cast<std::size_t>(q)].add(numbers);
        continue;
      }
      for (Index i = 0; i < columns; ++i)
        sums_[static_cast<std::size_t>(q * columns + i)] += numbers[static_cast<std::size_t>(i)];
    }
  });
}

Estimate StaticStructureFactor::binned(Index q, Index row, Index of_sample) const {
  const LogBinning::State& all = binnings_[static_cast<std::size_t>(q)].state();
  const auto R = settings_.replicas;
  const auto levels = std::ssize(all.mean) / all.replicas;
  const auto of_replicas = [&](Index first, Index count) {
    LogBinning::State own;
    own.replicas = count;
    own.samples = all.samples;
    for (Index level = 0; level < levels; ++level) {
      const Index begin = level * all.replicas + row * R + first;
      for (const auto& [from, to] : {std::pair(&all.mean, &own.mean),
                                     {&all.sum_of_squares, &own.sum_of_squares},
                                     {&all.pending, &own.pending}})
        to->insert(to->end(), from->begin() + begin, from->begin() + begin + count);
    }
    return LogBinning(std::move(own));
  };
  if (of_sample == 0) return of_replicas(0, R).estimate();
  Estimate result = estimate_independent(
      group_means({all.mean.data() + row * R, static_cast<std::size_t>(R)}, of_sample));
  result.autocorrelation_time = 0;
  for (Index r = 0; r < R; ++r)
    result.autocorrelation_time +=
        of_replicas(r, 1).estimate().autocorrelation_time / static_cast<double>(R);
  return result;
}

void StaticStructureFactor::finish_connected(Index q, std::vector<Estimate>& of_rows) const {
  const Index R = settings_.replicas;
  const auto T = static_cast<double>(samples_);
  const auto mean = [&](Index row, Index r) {
    return sums_[static_cast<std::size_t>((q * rows() + row) * R + r)] / T;
  };
  const auto amplitudes = [&](Index r) {
    Amplitudes A;
    for (Index a = 0; a < 3; ++a)
      A[static_cast<std::size_t>(a)] = {mean(products() + 2 * a, r),
                                        mean(products() + 2 * a + 1, r)};
    return A;
  };
  Amplitudes sum{};
  Products squares{}, whole{};
  for (Index r = 0; r < R; ++r) {
    const Amplitudes A = amplitudes(r);
    for (std::size_t a = 0; a < 3; ++a) sum[a] += A[a];
    const Products p = products_of(A);
    for (std::size_t row = 0; row < p.size(); ++row) squares[row] += p[row];
    for (Index row = 0; row < products(); ++row)
      whole[static_cast<std::size_t>(row)] += mean(row, r);
  }
  const auto connected = [](double plain, double of_sum, double of_each, double M) {
    return plain / M - (of_sum - of_each) / (M * (M - 1));
  };
  const auto M = static_cast<double>(R);
  const Products of_sum = products_of(sum);
  // Sums without one replica, for the jackknife: [row][replica that is left out].
  std::vector<std::vector<double>> left(static_cast<std::size_t>(products()));
  for (Index r = 0; R > 2 && r < R; ++r) {
    const Amplitudes A = amplitudes(r);
    const Products own = products_of(A);
    const Products others = products_of({sum[0] - A[0], sum[1] - A[1], sum[2] - A[2]});
    for (std::size_t row = 0; row < left.size(); ++row)
      left[row].push_back(connected(whole[row] - mean(static_cast<Index>(row), r), others[row],
                                    squares[row] - own[row], M - 1));
  }
  for (std::size_t row = 0; row < left.size(); ++row)
    of_rows[row] = {connected(whole[row], of_sum[row], squares[row], M), jackknife_error(left[row]),
                    not_known, samples_ * R, R >= fewest_independent};
}

StaticResult StaticStructureFactor::finish(double spins, Index of_sample, int threads) const {
  if (samples_ == 0)
    throw InternalError("a structure factor was requested before its first sample");
  const Index Q = settings_.wave_vectors;
  StaticResult result;
  result.samples = samples_ * settings_.replicas;
  result.value.resize(static_cast<std::size_t>(Q));
  result.error.resize(result.value.size());
  result.reliable.resize(result.value.size());
  if (!settings_.connected) result.autocorrelation_time.resize(result.value.size());
  if (settings_.components) result.tensor.resize(9 * result.value.size());
  result.tensor_error.resize(result.tensor.size());
  parallel_for(threads, Q, [&](Index q) {
    std::vector<Estimate> of_rows(static_cast<std::size_t>(products()));
    if (settings_.connected) {
      finish_connected(q, of_rows);
    } else {
      for (Index row = 0; row < products(); ++row)
        of_rows[static_cast<std::size_t>(row)] = binned(q, row, of_sample);
    }
    const auto value = [&](Index row) {
      return of_rows[static_cast<std::size_t>(row)].value / spins;
    };
    const auto error = [&](Index row) {
      return of_rows[static_cast<std::size_t>(row)].error / spins;
    };
    const auto index = static_cast<std::size_t>(q);
    result.value[index] = value(0);
    result.error[index] = error(0);
    result.reliable[index] = of_rows[0].reliable ? 1 : 0;
    if (!settings_.connected) result.autocorrelation_time[index] = of_rows[0].autocorrelation_time;
    if (!settings_.components) return;
    write_tensor(value, result.tensor.data() + 9 * index, -1);
    write_tensor(error, result.tensor_error.data() + 9 * index, 1);
  });
  return result;
}

std::vector<double> StaticStructureFactor::save() const {
  if (settings_.connected) return samples_ == 0 ? std::vector<double>{} : sums_;
  std::vector<double> numbers;
  for (const LogBinning& binning : binnings_)
    for (const auto* values :
         {&binning.state().mean, &binning.state().sum_of_squares, &binning.state().pending})
      numbers.insert(numbers.end(), values->begin(), values->end());
  return numbers;
}

void StaticStructureFactor::load(const std::vector<double>& saved, Index samples) {
  clear();
  samples_ = samples;
  if (samples == 0) return;
  const Index columns = rows() * settings_.replicas;
  const Index levels = std::bit_width(static_cast<std::uint64_t>(samples));
  const Index numbers_of_wave = settings_.connected ? columns : 3 * levels * columns;
  if (std::ssize(saved) != numbers_of_wave * settings_.wave_vectors)
    throw InputError("the checkpoint's structure factor does not fit the study",
                     "resume the results to which this checkpoint belongs");
  if (settings_.connected) {
    sums_ = saved;
    return;
  }
  auto next = saved.begin();
  for (LogBinning& binning : binnings_) {
    LogBinning::State state;
    state.replicas = columns;
    state.samples = samples;
    for (auto* values : {&state.mean, &state.sum_of_squares, &state.pending}) {
      values->assign(next, next + levels * columns);
      next += levels * columns;
    }
    binning = LogBinning(std::move(state));
  }
}

}  // namespace larmor::correlations
