// larmor bench correlations: measurements.

#include "bench/correlations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <deque>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>

#include "bench/command.hpp"
#include "bench/correlation_variants/pair_gemm.hpp"
#include "bench/correlation_variants/variants.hpp"
#include "bench/correlations_on_cpu.hpp"
#include "bench/launch_time.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_libraries.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::bench {
namespace {

/// Longest edge L. The number of sites, L^2, must be less than 2^31.
constexpr Index longest_lattice = 46340;

/// Reads the whole text as a number from 1 to `longest_lattice`. @throws InputError if it is not
Index whole_number(const std::string& text, const char* option) {
  std::size_t read = 0;
  Index number = 0;
  try {
    number = std::stoll(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != text.size() || number < 1 || number > longest_lattice)
    throw InputError(
        fmt::format("\"{}\" in {} is not a number from 1 to {}", text, option, longest_lattice),
        "write for instance --L 100:190:10,420");
  return number;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Lengths in a text such as "100:190:10,420", with ranges from:to:step and single numbers.
std::vector<Index> lengths_of(const std::string& text) {
  std::vector<Index> lengths;
  for (const std::string& range : split(text, ',')) {
    const std::vector<std::string> ends = split(range, ':');
    if (ends.empty() || ends.size() > 3)
      throw InputError(fmt::format("\"{}\" in --L is not a range", range),
                       "write from:to:step, such as 100:190:10");
    const Index first = whole_number(ends[0], "--L");
    const Index last = ends.size() > 1 ? whole_number(ends[1], "--L") : first;
    const Index step = ends.size() > 2 ? whole_number(ends[2], "--L") : 10;
    if (last < first)
      throw InputError(fmt::format("\"{}\" in --L ends before it begins", range),
                       "write the smaller number first");
    for (Index length = first; length <= last; length += step) lengths.push_back(length);
  }
  if (lengths.empty())
    throw InputError("--L names no lattice", "write for instance --L 100:190:10,420");
  return lengths;
}

/// All methods, or the wanted ones, from the slowest to the fastest. @throws InputError for an
/// unknown name
std::vector<std::string> methods_of(const std::vector<std::string>& wanted) {
  const auto known = variant_names();
  if (wanted.empty()) return {known.begin(), known.end()};
  for (const std::string& name : wanted) variant_square_bytes(name, 1);
  std::vector<std::string> methods;
  for (const char* name : known)
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) methods.emplace_back(name);
  return methods;
}

}  // namespace

#if defined(LARMOR_HAS_CUDA)

namespace {

using namespace correlations::real_space;

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// Spins in random directions, (spin, 3).
std::vector<double> random_spins(Index count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> height(-1, 1), angle(0, 2 * std::numbers::pi);
  std::vector<double> spins;
  spins.reserve(at(3 * count));
  for (Index n = 0; n < count; ++n) {
    const double z = height(generator), phi = angle(generator), radius = std::sqrt(1 - z * z);
    spins.insert(spins.end(), {radius * std::cos(phi), radius * std::sin(phi), z});
  }
  return spins;
}

/// <S> over the configurations, (site, 3)
std::vector<double> means_of(const std::vector<double>& spins, Index sites, Index configurations) {
  std::vector<double> means(at(3 * sites));
  for (Index site = 0; site < sites; ++site)
    for (Index k = 0; k < 3 * configurations; ++k)
      means[at(3 * site + k % 3)] +=
          spins[at(3 * configurations * site + k)] / static_cast<double>(configurations);
  return means;
}

std::vector<double> less_means(std::vector<double> spins, const std::vector<double>& means,
                               Index sites, Index configurations) {
  for (Index site = 0; site < sites; ++site)
    for (Index k = 0; k < 3 * configurations; ++k)
      spins[at(3 * configurations * site + k)] -= means[at(3 * site + k % 3)];
  return spins;
}

/// Random spins of a square lattice at two times, on host and device.
struct PairSpins {
  PairSpins(const Device& device, Index length, Index configurations)
      : sites(length * length),
        rows(random_spins(sites * configurations, 1)),
        columns(random_spins(sites * configurations, 2)),
        row_means(means_of(rows, sites, configurations)),
        column_means(means_of(columns, sites, configurations)),
        centred_rows(less_means(rows, row_means, sites, configurations)),
        centred_columns(less_means(columns, column_means, sites, configurations)),
        on_device{Array<double>(device, rows),         Array<double>(device, columns),
                  Array<double>(device, row_means),    Array<double>(device, column_means),
                  Array<double>(device, centred_rows), Array<double>(device, centred_columns)} {
    for (Index y = 0; y < length; ++y)
      for (Index x = 0; x < length; ++x)
        position.push_back({static_cast<double>(x), static_cast<double>(y), 0});
    problem = {sites, configurations, {0.6, 1.1, 0}, position};
  }
  SpinMatrices matrices() const {
    return {on_device[0].data(), on_device[1].data(), on_device[2].data(),
            on_device[3].data(), on_device[4].data(), on_device[5].data()};
  }
  /// The factorised sum: (1/M) sum_k A_k conj B_k, A_k = sum_r exp(-i q.r) a_rk.
  std::complex<double> factorised(const std::vector<double>& of_rows,
                                  const std::vector<double>& of_columns) const {
    const Index numbers = problem.numbers();
    std::vector<std::complex<double>> a(at(numbers)), b(at(numbers));
    for (Index site = 0; site < sites; ++site) {
      const std::complex<double> phase = std::polar(1.0, -dot(problem.q, position[at(site)]));
      for (Index k = 0; k < numbers; ++k) {
        a[at(k)] += of_rows[at(numbers * site + k)] * phase;
        b[at(k)] += of_columns[at(numbers * site + k)] * phase;
      }
    }
    std::complex<double> sum = 0;
    for (Index k = 0; k < numbers; ++k) sum += a[at(k)] * std::conj(b[at(k)]);
    return sum / static_cast<double>(problem.configurations);
  }

  Index sites;
  std::vector<double> rows, columns, row_means, column_means, centred_rows, centred_columns;
  std::vector<Vec3<double>> position;
  Array<double> on_device[6];
  VariantProblem problem;
};

double relative_error(std::complex<double> sum, std::complex<double> exact) {
  return std::abs(sum - exact) / std::abs(exact);
}

double gemm_rate(const Device& device) {
  constexpr Index edge = 8192;
  const std::vector<double> numbers = random_spins(edge * edge / 3 + 1, 3);
  const Array<double> a(device, numbers), b(device, numbers);
  Array<double> c(device, edge * edge);
  const cuda::Cublas cublas(device);
  constexpr auto plain = cuda::CublasOperation::plain;
  const double seconds = best_launch_seconds(device, [&] {
    cublas.multiply(plain, plain, edge, edge, edge, 1, a.data(), edge, b.data(), edge, c.data(),
                    edge);
  });
  constexpr double flops = 2.0 * edge * edge * edge;
  return flops / seconds;
}

double copy_bandwidth(const Device& device) {
  constexpr Index numbers = Index{1} << 29;
  const Array<double> from(device, numbers);
  Array<double> to(device, numbers);
  constexpr auto bytes = static_cast<std::size_t>(numbers) * sizeof(double);
  return 2 * static_cast<double>(bytes) / best_launch_seconds(device, [&] {
           copy_bytes(device, to.data(), device, from.data(), bytes);
         });
}

void measure_methods(const Device& device, const PairSpins& spins, std::complex<double> exact,
                     const std::vector<std::string>& methods, LatticeOfPairs& lattice) {
  for (const std::string& name : methods) {
    std::unique_ptr<VariantMethod> method;
    try {
      method = make_variant_method(device, name, spins.problem, spins.matrices());
    } catch (const MachineError& error) {
      lattice.left_out.emplace_back(name, error.what());
      continue;
    }
    method->launch();
    const double error = relative_error(method->total(), exact);
    lattice.methods.push_back(measured_parts(device, name, method->parts()));
    lattice.methods.back().error = error;
  }
}

/// A variant of the fused kernel.
struct Variant {
  PairPrecision precision = PairPrecision::full;
  bool plain = false, equal_times = false;
};

MethodMeasured measured_sums(const Device& device, const PairSpins& spins, const Variant& variant,
                             std::complex<double> exact) {
  PairSettings settings;
  settings.sites = spins.sites;
  settings.numbers = spins.problem.numbers();
  settings.precision = variant.precision;
  settings.plain = variant.plain;
  const auto sums =
      make_fused_sums(device, settings, FourierTerms{{&spins.problem.q, 1}, spins.position});
  const SpinMatrices matrices = spins.matrices();
  sums->set_columns(matrices.centred_columns);
  const auto launch = [&] {
    if (variant.equal_times)
      sums->set_both(matrices.centred_rows);
    else
      sums->set_rows(matrices.centred_rows);
    sums->add();
  };
  launch();
  const std::vector<double> total = sums->totals().take();
  const double error = relative_error(
      std::complex<double>(total[0], total[1]) / static_cast<double>(spins.problem.configurations),
      exact);
  return {variant.plain ? "plain arithmetic" : name_of(variant.precision),
          best_launch_seconds(device, launch),
          error,
          {}};
}

/// Measures the fused kernel without tensor cores, with split numbers, and for symmetric C.
void measure_variants(const Device& device, const PairSpins& spins, std::complex<double> exact,
                      LatticeOfPairs& lattice) {
  const std::complex<double> symmetric = spins.factorised(spins.centred_rows, spins.centred_rows);
  const auto equal_times = [&](PairPrecision precision) {
    lattice.equal_times.push_back(
        measured_sums(device, spins, {precision, false, true}, symmetric));
  };
  equal_times(PairPrecision::full);
  if (!has_tensor_core_sums(device)) return;
  lattice.precisions.push_back(
      measured_sums(device, spins, {PairPrecision::full, true, false}, exact));
  for (const PairPrecision precision : {PairPrecision::tf32x3, PairPrecision::half_split}) {
    lattice.precisions.push_back(measured_sums(device, spins, {precision, false, false}, exact));
    equal_times(precision);
  }
}

/// Seconds of only the product by cuBLAS, timed as long as all other methods. 0 if an N x N matrix
/// does not fit into memory.
double cublas_seconds(const Device& device, const PairSpins& spins) {
  const double bytes = 8.0 * static_cast<double>(spins.sites) * static_cast<double>(spins.sites);
  if (bytes > static_cast<double>(gpu_info(device.ordinal).free_bytes)) return 0;
  Array<double> product(device, spins.sites * spins.sites);
  const SpinMatrices matrices = spins.matrices();
  PairGemm gemm(device, spins.sites, spins.problem.numbers(), matrices.centred_rows,
                matrices.centred_columns, product.data());
  gemm.arrange_rows();  // with zeros the GPU would need less power, and therefore less time
  return best_launch_seconds(device, [&] { gemm.multiply(1); });
}

/// `count` wave vectors on the paper's path, (0,0) - (pi,0) - (pi,pi) - (0,0).
correlations::QList square_path(const lattice::Geometry& geometry, Index count) {
  constexpr Vec3<double> corners[] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0, 0}};
  constexpr Index lines = 3;
  std::vector<Vec3<double>> q;
  for (Index n = 0; n < count; ++n) {
    const Index line = n * lines / count;
    const double along = static_cast<double>(n * lines - line * count) / static_cast<double>(count);
    q.push_back(corners[line] + along * (corners[line + 1] - corners[line]));
  }
  return correlations::q_explicit(geometry, q);
}

/// Measures a step of Landau-Lifshitz and the sums over amplitudes, with an equal number of
/// replicas.
void measure_dynamics(const Device& device, Index configurations, LatticeOfPairs& lattice) {
  study::SpinSystem system(
      study::parse_system(fmt::format("replicas = {1}\n[lattice]\ntype = 'square'\nsize = [{0}, "
                                      "{0}]\n[[exchange]]\nshell = 1\nJ = 1\n[field]\nB = [0, 0, "
                                      "0.5]\n",
                                      lattice.length, configurations),
                          "bench"),
      device);
  system.state.randomise(1);
  spins::IntegratorSettings settings;
  settings.scheme = spins::Scheme::rk4;
  settings.timestep = 0.01;
  spins::Integrator integrator(system.model, system.state.layout(), settings, device);
  integrator.set_temperatures({0});
  constexpr Index steps = 16;  // the steps share the host's cost of one launch
  lattice.step_seconds =
      best_launch_seconds(device, [&] { integrator.run(system.state, steps); }) / steps;
  const SpinLayout& layout = system.state.layout();
  for (const Index count : {1, 300}) {
    const auto transform = correlations::make_gpu_sum(
        system.geometry, square_path(system.geometry, count), system.state);
    // Pending results do not delay later launches, up to this number of results.
    constexpr std::size_t most_on_their_way = 16;
    std::deque<Pending> pending;
    const double seconds = best_launch_seconds(device, [&] {
      if (pending.size() == most_on_their_way) pending.pop_front();
      pending.push_back(transform->transform(system.state));
    });
    lattice.factorised.push_back(
        {count, seconds, 24 * static_cast<double>(layout.sites * layout.replicas)});
  }
}

/// Measures the fused kernel on one GPU, on two, four and so on, and on all. Each GPU has all
/// spins. Collective.
void measure_ranks(const Device& device, const PairSpins& spins, std::complex<double> exact,
                   const Communicator& world, LatticeOfPairs& lattice) {
  PairRanks ranks(world, device);
  std::vector<int> rank_counts;
  for (int count = 1; count < world.size(); count *= 2) rank_counts.push_back(count);
  rank_counts.push_back(world.size());
  for (const int count : rank_counts) {
    // A rank that takes no part gets an empty share.
    const bool takes_part = world.rank() < count;
    const RowShare share =
        takes_part ? RowShare{world.rank(), count} : RowShare{0, std::numeric_limits<int>::max()};
    const auto sums = make_fused_sums(device, {spins.sites, spins.problem.numbers()},
                                      FourierTerms{{&spins.problem.q, 1}, spins.position}, share);
    const SpinMatrices matrices = spins.matrices();
    sums->set_columns(matrices.centred_columns);
    const auto launch = [&] {
      sums->set_rows(matrices.centred_rows);
      sums->add();
      const std::span<double> row_block_sums = sums->row_block_sums();
      if (count > 1) ranks.add_up(row_block_sums.data(), std::ssize(row_block_sums));
    };
    lattice.of_ranks[count] = best_launch_seconds(device, launch, {}, world);
    const std::vector<double> total = sums->totals().take();
    const std::complex<double> sum = std::complex<double>(total[0], total[1]) /
                                     static_cast<double>(spins.problem.configurations);
    if (takes_part && !(relative_error(sum, exact) < 1e-10))
      throw InternalError(fmt::format("the sum on {} GPUs differs from the sum on one GPU", count));
  }
}

/// Parts of the benchmark that --only chooses.
struct PartsOfBench {
  bool methods, variants, amplitudes;
  explicit PartsOfBench(BenchChoice& choice)
      : methods(choice.wants("methods")),
        variants(choice.wants("variants of fused")),
        amplitudes(choice.wants("amplitudes")) {
    choice.require_one();
  }
};

/// Measures all that is requested, on the root. Other ranks take part in measurements of several
/// GPUs.
LatticeOfPairs measured_lattice(const Device& device, Index length, Index configurations,
                                const std::vector<std::string>& methods, const PartsOfBench& parts,
                                const Communicator& world) {
  LatticeOfPairs lattice;
  lattice.length = length;
  const PairSpins spins(device, length, configurations);
  const std::complex<double> exact = spins.factorised(spins.centred_rows, spins.centred_columns);
  if (world.is_root()) {
    if (parts.methods || parts.amplitudes) measure_dynamics(device, configurations, lattice);
    for (const Index replicas : {Index{1}, configurations})
      if (parts.amplitudes)
        std::ranges::move(measured_amplitudes(device, length, replicas),
                          std::back_inserter(lattice.amplitudes));
    if (parts.methods) {
      measure_methods(device, spins, exact, methods, lattice);
      // cuBLAS is measured after the methods, when the GPU is as warm as it was for them.
      lattice.gemm_seconds = cublas_seconds(device, spins);
    }
    if (parts.variants) measure_variants(device, spins, exact, lattice);
  }
  if (lattice.method("fused") != nullptr && world.size() == 1)
    lattice.of_ranks[1] = lattice.method("fused")->seconds;
  if (parts.methods && world.size() > 1) measure_ranks(device, spins, exact, world, lattice);
  return lattice;
}

}  // namespace

namespace {

void bench_correlations_on_gpu(const Device& device, std::vector<Index> lengths,
                               const std::vector<std::string>& methods, BenchChoice& choice,
                               const CorrelationBenchOptions& options, const Communicator& world) {
  const PartsOfBench parts(choice);
  if (!parts.methods && !options.methods.empty())
    throw InputError("--methods chooses methods, and --only leaves out all methods",
                     "leave out --methods or --only");
  if (lengths.empty()) lengths = lengths_of("100:200:10,420");
  CorrelationsMeasured measured;
  measured.device = study::device_text(device);
  measured.configurations = options.configurations;
  if (world.is_root()) {
    measured.gemm_rate = gemm_rate(device);
    measured.copy_bandwidth = copy_bandwidth(device);
  }
  for (const Index length : lengths) {
    measured.lattices.push_back(
        measured_lattice(device, length, options.configurations, methods, parts, world));
    if (!world.is_root()) continue;
    // Keeps earlier results even if the run is interrupted.
    if (!options.json.empty()) write_correlations(measured, options.json);
    fmt::print(stderr, "L = {} is measured\n", length);
  }
  if (world.is_root()) print_correlations(measured);
}

}  // namespace

#endif

void bench_correlations(const Device& device, BenchChoice& choice,
                        const CorrelationBenchOptions& options, const Communicator& world) {
  const std::vector<Index> lengths =
      options.lengths.empty() ? std::vector<Index>{} : lengths_of(options.lengths);
  const std::vector<std::string> methods = methods_of(options.methods);
  if (device.precision != Precision::double_numbers)
    throw InputError("correlations are measured only in double precision",
                     "give --precision double");
  // All ranks must take one branch, since the measurements are collective.
  const bool on_gpu = world.all(device.backend == Backend::cuda);
  if (!on_gpu && !(options.methods.empty() && options.json.empty()))
    throw InputError(
        "--methods and --json require correlations on a GPU, but this benchmark runs on the CPU",
        "leave out both options, or use a GPU: `larmor devices` lists the GPUs of this machine");
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu) return bench_correlations_on_gpu(device, lengths, methods, choice, options, world);
#endif
  if (world.is_root())
    bench_correlations_on_cpu(lengths, options.configurations, choice, device.threads);
}

}  // namespace larmor::bench
