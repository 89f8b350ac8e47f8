// larmor bench snap: measurements. The benchmark is a proxy of SNAP in the sense of TestSNAP. Every
// method computes the forces on the atoms of one box from equal data. Each method is checked.

#include "bench/snap.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/command.hpp"
#include "bench/launch_time.hpp"
#include "bench/snap_system.hpp"
#include "bench/snap_variants/variants.hpp"
#include "bench/timing.hpp"
#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/correlations/pairs/cpu/tile_product.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms;

struct NamedMethod {
  const char* name;
  snap::Method method;
};
constexpr NamedMethod methods_on_cpu[] = {{"baseline", snap::Method::baseline},
                                          {"adjoint", snap::Method::adjoint},
                                          {"generators", snap::Method::generators}};

/// The wanted methods in the order of `known`. @throws InputError for an unknown name
std::vector<std::string> methods_of(const std::vector<std::string>& wanted,
                                    const std::vector<std::string>& known) {
  if (wanted.empty()) return known;
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("no method of SNAP is called \"" + name + "\"",
                       "the methods are " + comma_list(known));
  std::vector<std::string> methods;
  for (const std::string& name : known)
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) methods.push_back(name);
  return methods;
}

/// A box of atoms, and the reference forces on some of them.
struct CheckedSystem {
  snap::SnapPotential potential;
  SnapSystem system;
  std::vector<Index> checked;
  std::vector<Vec3<double>> exact;

  CheckedSystem(snap::SnapPotential its_potential, Index cells)
      : potential(std::move(its_potential)),
        system(bcc_tungsten(cells, potential.largest_cutoff())),
        checked{0, system.atoms() - 1},
        exact(reference_forces(potential, system.rows, checked)) {}

  double error(const std::vector<Vec3<double>>& forces) const {
    double largest = 0;
    for (std::size_t n = 0; n < checked.size(); ++n) {
      const Vec3<double> off = forces[static_cast<std::size_t>(checked[n])] - exact[n];
      for (const double x : {off.x, off.y, off.z})
        // The comparison is negated, because std::max would ignore NaN.
        if (!(std::abs(x) <= largest)) largest = std::abs(x);
    }
    return largest;
  }
};

/// The description of a system before its methods are measured.
SnapSystemMeasured described(const CheckedSystem& checked) {
  const SnapSystem& system = checked.system;
  SnapSystemMeasured result;
  result.twojmax = checked.potential.parameters.twojmax;
  result.atoms = system.atoms();
  result.neighbours = system.neighbours();
  result.flops =
      least_snap_flops(checked.potential, static_cast<int>(std::lround(system.neighbours())));
  return result;
}

/// Products of matrices, one on each thread.
class Products {
 public:
  explicit Products(int threads) : threads_(threads), numbers_(as_size(edge * edge), 1.0) {
    product_.assign(as_size(threads), numbers_);
  }
  void operator()() {
    using correlations::real_space::multiply_transposed;
    parallel_for(threads_, threads_, [&](Index thread) {
      multiply_transposed(edge, edge, edge, {numbers_.data(), edge}, {numbers_.data(), edge},
                          {product_[as_size(thread)].data(), edge});
    });
  }
  double flops() const { return 2.0 * edge * edge * edge * threads_; }

 private:
  static constexpr Index edge = 768;
  static std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

  int threads_;
  std::vector<double> numbers_;
  std::vector<std::vector<double>> product_;
};

SnapSystemMeasured measured_on_cpu(const Device& device, const CheckedSystem& checked,
                                   const std::vector<std::string>& names) {
  const SnapSystem& system = checked.system;
  SnapSystemMeasured result = described(checked);
  // The textbook method is slow, so it is timed on only a few atoms.
  constexpr Index most_of_baseline = 16;
  const NeighbourRows few = system.first_rows(std::min(system.atoms(), most_of_baseline));

  std::vector<std::unique_ptr<snap::Snap>> potentials;
  Products products(device.threads);
  std::vector<std::function<void()>> works{[&] { products(); }};
  std::vector<double> counts{1};
  const auto add = [&](const std::function<void()>& work, Index atoms) {
    const Index times = times_that_take(0.02, work);
    works.emplace_back([work, times] {
      for (Index n = 0; n < times; ++n) work();
    });
    counts.push_back(static_cast<double>(times * atoms));
  };
  for (const auto& [name, method] : methods_on_cpu) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    const snap::Snap& method_potential =
        *potentials.emplace_back(std::make_unique<snap::Snap>(checked.potential, method, device));
    const PairGradients found = method_potential.evaluate(system.rows, system.elements);
    result.methods.push_back({name, 0, checked.error(forces(system.rows, found.gradient)), {}});
    const bool is_slow = method == snap::Method::baseline;
    const NeighbourRows& rows = is_slow ? few : system.rows;
    for (const snap::Stage last : {snap::Stage::density, snap::Stage::products})
      add([&, last] { method_potential.evaluate(rows, system.elements, last); }, rows.atoms());
    add(
        [&, is_slow] {
          const PairGradients gradients = method_potential.evaluate(rows, system.elements);
          // The mirror of a pair may belong to a row that is left out.
          if (!is_slow) forces(rows, gradients.gradient);
        },
        rows.atoms());
  }
  const std::vector<double> seconds = best_seconds_in_turn(works);
  result.floor_rate = products.flops() / seconds[0];
  const auto of_atom = [&](std::size_t work) { return seconds[work] / counts[work]; };
  for (std::size_t n = 0; n < result.methods.size(); ++n) {
    const std::size_t first = 1 + 3 * n;
    MethodMeasured& method = result.methods[n];
    method.seconds = of_atom(first + 2);
    method.parts = {
        {"U", of_atom(first)},
        {method.name == methods_on_cpu[0].name ? "Z" : "Y", of_atom(first + 1) - of_atom(first)},
        {"forces", of_atom(first + 2) - of_atom(first + 1)}};
  }
  return result;
}

#if defined(LARMOR_HAS_CUDA)

SnapSystemMeasured measured_on_gpu(const Device& device, const CheckedSystem& checked,
                                   const std::vector<std::string>& names) {
  SnapSystemMeasured result = described(checked);
  double flops = 0;
  const double seconds = best_launch_seconds(device, [&] { flops = launch_snap_floor(device); });
  result.floor_rate = flops / seconds;
  const auto atoms = static_cast<double>(result.atoms);
  for (const std::string& name : names) {
    std::unique_ptr<SnapVariantMethod> method;
    try {
      method = make_snap_variant_method(device, name, checked.potential, checked.system.rows);
    } catch (const MachineError& error) {
      result.left_out.emplace_back(name, error.what());
      continue;
    }
    method->launch();
    const double error = checked.error(method->forces());
    MethodMeasured measured = measured_parts(device, name, method->parts());
    measured.error = error;
    measured.seconds /= atoms;
    for (auto& part : measured.parts) part.second /= atoms;
    result.methods.push_back(measured);
  }
  return result;
}

#endif

SnapSystemMeasured measured_system(const Device& device, const CheckedSystem& checked,
                                   const std::vector<std::string>& names) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return measured_on_gpu(device, checked, names);
#endif
  return measured_on_cpu(device, checked, names);
}

std::vector<std::string> known_methods(const Device& device) {
  if (device.backend == Backend::cuda) {
    const auto names = snap_variant_names();
    return {names.begin(), names.end()};
  }
  std::vector<std::string> names;
  for (const NamedMethod& method : methods_on_cpu) names.emplace_back(method.name);
  return names;
}

}  // namespace

void bench_snap(const Device& device, BenchChoice& choice, const SnapBenchOptions& options) {
  if (device.precision != Precision::double_numbers)
    throw InputError("forces of SNAP are measured only in double precision",
                     "give --precision double");
  if (!options.prefix.empty() && !options.twojmax.empty())
    throw InputError(
        "--twojmax sets the size of a made-up potential, but the files of --snap set twojmax "
        "themselves",
        "leave out --twojmax or --snap");
  const bool on_gpu = device.backend == Backend::cuda;
  const std::vector<std::string> names = methods_of(options.methods, known_methods(device));
  const std::vector<Index> usual_cells =
      on_gpu ? std::vector<Index>{10, 20} : std::vector<Index>{6};

  SnapMeasured measured;
  measured.device = study::device_text(device);
  measured.potential = options.prefix.empty() ? "linear, made up" : options.prefix;
  measured.floor = on_gpu ? "only fused multiplications and additions, before the methods"
                          : "products of matrices by OpenBLAS, in turn with the methods";
  std::vector<snap::SnapPotential> potentials;
  if (!options.prefix.empty())
    potentials.push_back(potential_of_files(options.prefix));
  else
    for (const int twojmax : options.twojmax.empty() ? std::vector{8, 14} : options.twojmax)
      potentials.push_back(made_up_potential(twojmax));

  print_snap_heading(measured);
  for (const snap::SnapPotential& potential : potentials)
    for (const Index cells : options.cells.empty() ? usual_cells : options.cells) {
      if (!choice.wants(fmt::format("2J = {}, {}^3 cells", potential.parameters.twojmax, cells)))
        continue;
      const CheckedSystem checked(potential, cells);
      measured.systems.push_back(measured_system(device, checked, names));
      print_snap_system(measured.systems.back());
      require_snap_forces(measured.systems.back());
      // Keeps earlier results even if the run is interrupted.
      if (!options.json.empty()) write_snap(measured, options.json);
    }
}

}  // namespace larmor::bench
