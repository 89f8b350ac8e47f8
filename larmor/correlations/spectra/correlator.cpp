#include "larmor/correlations/spectra/correlator.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/real_space_structure_factor.hpp"
#include "larmor/correlations/spectra/structure_factor.hpp"

namespace larmor::correlations {

using real_space::RealSpaceStructureFactor;

void keep_frequencies(StructureFactorResult& result, double largest) {
  const auto F = std::ssize(result.frequency);
  const auto first = std::ranges::find_if(
      result.frequency, [&](double w) { return w == 0 || std::abs(w) <= largest; });
  // So many frequencies are removed on either side.
  const auto skipped = first - result.frequency.begin();
  if (skipped == 0) return;
  // Keeps the requested frequencies of an array [Q, F, width].
  const auto keep = [&](std::vector<double>& values, std::ptrdiff_t width) {
    const auto each = F * width, before = skipped * width, kept = each - 2 * before;
    auto to = values.begin();
    for (auto row = values.begin(); row != values.end(); row += each)
      to = std::copy(row + before, row + before + kept, to);
    values.erase(to, values.end());
  };
  keep(result.intensity, 1);
  keep(result.error, 1);
  keep(result.components, 3);
  keep(result.frequency, 1);
}

void require_method(const lattice::Geometry& geometry, const StructureFactorSettings& settings) {
  if (settings.method != Method::real_space) {
    make_transform(geometry, settings.q, settings.method);
  } else if (settings.origins == Origins::all) {
    throw InputError("correlations in real space have the first sample as their only origin",
                     "set origins = \"fixed\", or another method");
  }
}

void require_replicas(const StructureFactorSettings& settings, Index replicas) {
  if (settings.connected && replicas < 2)
    throw InputError(
        "connected correlations need at least two replicas: one replica is its own mean",
        "set replicas = 2 or more, or connected = false");
}

std::unique_ptr<Correlator> make_correlator(const lattice::Geometry& geometry,
                                            const StructureFactorSettings& settings,
                                            const ReplicaShare& replicas, const Communicator* world,
                                            RankedSamples samples) {
  if (settings.method == Method::real_space)
    return std::make_unique<RealSpaceStructureFactor>(geometry, settings, replicas.all, world);
  return std::make_unique<StructureFactor>(geometry, settings, replicas, std::move(samples));
}

double result_bytes(const StructureFactorSettings& settings) {
  const auto T = static_cast<double>(settings.samples), F = 2 * T - 1;
  // The numbers of a frequency are intensity, error, components and a copy. The numbers of a time
  // are S(q,t), its error and a copy.
  return 8 * static_cast<double>(settings.q.size()) * (8 * F + 5 * T);
}

double correlator_bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                        Index replicas) {
  return settings.method == Method::real_space
             ? RealSpaceStructureFactor::bytes(geometry, settings, replicas)
             : StructureFactor::bytes(settings, replicas);
}

double correlator_working_bytes(const lattice::Geometry& geometry,
                                const StructureFactorSettings& settings,
                                const ReplicaShare& replicas, const Device& device) {
  return settings.method == Method::real_space
             ? RealSpaceStructureFactor::working_bytes(geometry, settings, replicas, device)
             : StructureFactor::working_bytes(geometry, settings, replicas, device);
}

double detailed_balance_factor(double x) { return x == 0 ? 1 : x / -std::expm1(-x); }

void apply_detailed_balance(StructureFactorResult& result, double hbar_over_kT) {
  const std::size_t F = result.frequency.size();
  std::vector<double> factor;
  for (const double w : result.frequency)
    factor.push_back(detailed_balance_factor(hbar_over_kT * w));
  for (std::size_t i = 0; i < result.intensity.size(); ++i) {
    result.intensity[i] *= factor[i % F];
    result.error[i] *= factor[i % F];
  }
  for (std::size_t i = 0; i < result.components.size(); ++i)
    result.components[i] *= factor[i / 3 % F];
}

}  // namespace larmor::correlations
