// Prints the tables of larmor bench correlations.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "bench/correlations.hpp"

namespace larmor::bench {
namespace {

constexpr const char* none = "-";

double seconds_of(const MethodMeasured& method, const std::string& part) {
  for (const auto& [name, seconds] : method.parts)
    if (name == part) return seconds;
  return 0;
}

/// Names in the order of the measurements.
std::vector<std::string> names_of_methods(const CorrelationsMeasured& measured) {
  std::vector<std::string> names;
  for (const LatticeOfPairs& lattice : measured.lattices)
    for (const MethodMeasured& method : lattice.methods)
      if (std::find(names.begin(), names.end(), method.name) == names.end())
        names.push_back(method.name);
  return names;
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

void print_floors(const CorrelationsMeasured& m) {
  fmt::print("S(q,t) of one wave vector, square lattice of L^2 sites, M = {}, {}\n",
             m.configurations, m.device);
  fmt::print(
      "flops: 2 N^2 3M; floors, measured in this run: cuBLAS DGEMM of 8192^3 {:.1f} "
      "TFLOP/s, copying {:.0f} GB/s\n",
      m.gemm_rate / 1e12, m.copy_bandwidth / 1e9);
}

/// Prints the share of each component in the time of both GEMM variants, in the order of the first.
void print_figure_1(const CorrelationsMeasured& m) {
  constexpr const char* parts[] = {"rearranging", "GEMM", "outer product and axpy",
                                   "inner product"};
  fmt::print("\nfigure 1: shares of the components in the time of a step by cublas-eq4\n");
  fmt::print("{:>5}  {:<11} {:>10} {:>12} {:>8} {:>23} {:>14}\n", "L", "way", "LL, RK4", parts[0],
             parts[1], parts[2], parts[3]);
  for (const LatticeOfPairs& lattice : m.lattices) {
    const MethodMeasured* whole = lattice.method("cublas-eq4");
    if (whole == nullptr) continue;
    double step = lattice.step_seconds;
    for (const auto& part : whole->parts) step += part.second;
    for (const char* name : {"cublas-eq4", "cublas-eq5"}) {
      const MethodMeasured* method = lattice.method(name);
      if (method == nullptr) continue;
      fmt::print(
          "{:>5}  {:<11} {:>9.2f}% {:>11.1f}% {:>7.1f}% {:>22.1f}% {:>13.1f}%\n", lattice.length,
          name, 100 * lattice.step_seconds / step, 100 * seconds_of(*method, parts[0]) / step,
          100 * seconds_of(*method, parts[1]) / step, 100 * seconds_of(*method, parts[2]) / step,
          100 * seconds_of(*method, parts[3]) / step);
    }
  }
}

/// Prints a table with a row for each L and a column for each method. An entry is `value` of the
/// measured times.
void print_by_method(
    const CorrelationsMeasured& m, const std::vector<std::string>& names,
    const std::function<std::string(const LatticeOfPairs&, const MethodMeasured&)>& value) {
  fmt::print("{:>5}", "L");
  for (const std::string& name : names) fmt::print(" {:>17}", name);
  fmt::print("\n");
  for (const LatticeOfPairs& lattice : m.lattices) {
    fmt::print("{:>5}", lattice.length);
    for (const std::string& name : names) {
      const MethodMeasured* method = lattice.method(name);
      fmt::print(" {:>17}", method == nullptr ? none : value(lattice, *method));
    }
    fmt::print("\n");
  }
}

void print_figures_4_and_5(const CorrelationsMeasured& m) {
  const std::vector<std::string> names = names_of_methods(m);
  const auto against = [](const char* other, const auto& words) {
    return [other, words](const LatticeOfPairs& lattice, const MethodMeasured& method) {
      const MethodMeasured* reference = lattice.method(other);
      return reference == nullptr ? none : words(reference->seconds / method.seconds);
    };
  };
  fmt::print("\nfigure 4: speed-up over baseline\n");
  print_by_method(m, names,
                  against("baseline", [](double gain) { return fmt::format("{:.1f}x", gain); }));
  std::vector<std::string> fused;
  for (const std::string& name : names)
    if (name.starts_with("fused")) fused.push_back(name);
  fmt::print("\nfigure 5: gain over cublas-eq5 (paper: load 26-33%, otf-smem 5-16%)\n");
  print_by_method(m, fused, against("cublas-eq5", [](double gain) {
                    return fmt::format("{:+.0f}%", 100 * (gain - 1));
                  }));
}

void print_method(const CorrelationsMeasured& m, const LatticeOfPairs& lattice,
                  const MethodMeasured& method) {
  const double rate = m.flops(lattice) / method.seconds;
  fmt::print("{:>5}  {:<17} {:>10.3f} {:>9.1f} {:>9} {:>11} {:>9}\n", lattice.length, method.name,
             1e3 * method.seconds, rate / 1e12, percent(rate / m.gemm_rate),
             lattice.gemm_seconds > 0 ? percent(lattice.gemm_seconds / method.seconds) : none,
             method.error > 0 ? fmt::format("{:.0e}", method.error) : none);
}

void print_method_header() {
  fmt::print("{:>5}  {:<17} {:>10} {:>9} {:>9} {:>11} {:>9}\n", "L", "way", "ms", "TFLOP/s",
             "of 8192^3", "of its GEMM", "error");
}

void print_figure_6(const CorrelationsMeasured& m) {
  fmt::print(
      "\nfigure 6: time of one time step; 'of its GEMM': time of cuBLAS for a product of this "
      "shape, "
      "as a share of the time; "
      "error: relative to the factorised sum\n");
  print_method_header();
  for (const LatticeOfPairs& lattice : m.lattices) {
    for (const MethodMeasured& method : lattice.methods) print_method(m, lattice, method);
    if (lattice.gemm_seconds > 0)
      print_method(m, lattice, {"(GEMM alone)", lattice.gemm_seconds, 0, {}});
    for (const auto& [name, why] : lattice.left_out) fmt::print("{:>5}  {}\n", lattice.length, why);
  }
}

void print_figure_7(const CorrelationsMeasured& m) {
  std::set<int> ranks;
  for (const LatticeOfPairs& lattice : m.lattices)
    for (const auto& measured : lattice.of_ranks) ranks.insert(measured.first);
  if (ranks.empty()) return;
  fmt::print("\nfigure 7: time of the fused kernel by number of GPUs, ms\n{:>5}", "L");
  for (const int count : ranks) fmt::print(" {:>17}", count);
  fmt::print("\n");
  for (const LatticeOfPairs& lattice : m.lattices) {
    fmt::print("{:>5}", lattice.length);
    for (const int count : ranks) {
      const auto found = lattice.of_ranks.find(count);
      fmt::print(" {:>17}", found == lattice.of_ranks.end()
                                ? none
                                : fmt::format("{:.3f} ({:.2f}x)", 1e3 * found->second,
                                              lattice.of_ranks.at(*ranks.begin()) / found->second));
    }
    fmt::print("\n");
  }
}

void print_inner_products(const CorrelationsMeasured& m) {
  constexpr double bytes_of_pair = 24;  // a double of C, a complex number of Q
  fmt::print("\ncublas-eq5: its GEMM against only cuBLAS, its inner product against copying\n");
  fmt::print("{:>5} {:>10} {:>9} {:>17} {:>9}\n", "L", "GEMM, ms", "share", "inner product, ms",
             "share");
  for (const LatticeOfPairs& lattice : m.lattices) {
    const MethodMeasured* method = lattice.method("cublas-eq5");
    if (method == nullptr) continue;
    const double gemm = seconds_of(*method, "GEMM"), inner = seconds_of(*method, "inner product");
    const auto sites = static_cast<double>(lattice.sites());
    fmt::print("{:>5} {:>10.3f} {:>9} {:>17.3f} {:>9}\n", lattice.length, 1e3 * gemm,
               percent(lattice.gemm_seconds / gemm), 1e3 * inner,
               percent(bytes_of_pair * sites * sites / inner / m.copy_bandwidth));
  }
}

void print_precisions(const CorrelationsMeasured& m) {
  fmt::print("\nfused, without tensor cores and with numbers split in two\n");
  print_method_header();
  for (const LatticeOfPairs& lattice : m.lattices)
    for (const MethodMeasured& method : lattice.precisions) print_method(m, lattice, method);
  fmt::print(
      "\nfused, equal times: only half of the symmetric C is computed, but rates count all "
      "operations of C\n");
  print_method_header();
  for (const LatticeOfPairs& lattice : m.lattices)
    for (const MethodMeasured& method : lattice.equal_times) print_method(m, lattice, method);
}

void print_factorised(const CorrelationsMeasured& m) {
  fmt::print("\nthe factorised sum: share of the copying rate, counting one read of the spins\n");
  fmt::print("{:>5} {:>13} {:>10} {:>9} {:>14}\n", "L", "wave vectors", "ms", "share",
             "fused / this");
  for (const LatticeOfPairs& lattice : m.lattices) {
    const MethodMeasured* fused = lattice.method("fused");
    for (const FactorisedMeasured& f : lattice.factorised)
      fmt::print("{:>5} {:>13} {:>10.4f} {:>9} {:>14}\n", lattice.length, f.wave_vectors,
                 1e3 * f.seconds, percent(f.bytes / f.seconds / m.copy_bandwidth),
                 fused == nullptr ? none : fmt::format("{:.0f}x", fused->seconds / f.seconds));
  }
  for (const LatticeOfPairs& lattice : m.lattices)
    for (const LatticeOfAmplitudes& amplitudes : lattice.amplitudes) print_amplitudes(amplitudes);
}

}  // namespace

const MethodMeasured* LatticeOfPairs::method(const std::string& name) const {
  for (const MethodMeasured& measured : methods)
    if (measured.name == name) return &measured;
  return nullptr;
}

double CorrelationsMeasured::flops(const LatticeOfPairs& lattice) const {
  const auto sites = static_cast<double>(lattice.sites());
  return 2 * sites * sites * 3 * static_cast<double>(configurations);
}

void print_correlations(const CorrelationsMeasured& measured) {
  const auto any = [&](const auto& part) {
    return std::ranges::any_of(
        measured.lattices, [&](const LatticeOfPairs& lattice) { return !(lattice.*part).empty(); });
  };
  print_floors(measured);
  if (any(&LatticeOfPairs::methods) || any(&LatticeOfPairs::left_out)) {
    print_figure_1(measured);
    print_figures_4_and_5(measured);
    print_figure_6(measured);
    print_figure_7(measured);
    print_inner_products(measured);
  }
  if (any(&LatticeOfPairs::equal_times)) print_precisions(measured);
  if (any(&LatticeOfPairs::factorised)) print_factorised(measured);
}

}  // namespace larmor::bench
