#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/phi4/field_clusters.hpp"
#include "larmor/phi4/field_sampler.hpp"
#include "larmor/phi4/field_sums.hpp"
#include "larmor/study/models/phi4/phi4_model_kind.hpp"

namespace larmor::study {
namespace {

constexpr Index phi4_replicas = 32;
constexpr std::uint64_t phi4_seed = 20241119;
constexpr Index phi4_discarded = 400;
constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Update { metropolis, heat_bath, swendsen_wang, wolff };

std::string text_of(Update update) {
  switch (update) {
    case Update::metropolis:
      return "Metropolis";
    case Update::heat_bath:
      return "heat bath";
    case Update::swendsen_wang:
      return "Swendsen-Wang";
    default:
      return "Wolff";
  }
}

/// @param value the value of a replica
Measured mean_of(const clusters::RegularGrid& grid, int components, double kappa, double lambda,
                 Update update, const std::function<double(const phi4::FieldMeans&)>& value,
                 const Device& device, Index samples) {
  phi4::FieldModel model(grid, components, phi4_replicas, device);
  const std::vector<double> kappas(phi4_replicas, kappa), lambdas(phi4_replicas, lambda);
  model.set_couplings(kappas, lambdas);
  phi4::FieldState state(model, UpdateCounter());
  state.randomise(phi4_seed);
  phi4::FieldSampler local(model, phi4_seed);
  phi4::FieldClusters clusters(model, phi4_seed);
  phi4::FieldSums sums(model);
  const auto sweep = [&] {
    switch (update) {
      case Update::metropolis:
        local.run(state, phi4::LocalRule::metropolis, 4);
        break;
      case Update::heat_bath:
        local.run(state, phi4::LocalRule::heat_bath, 2);
        break;
      case Update::swendsen_wang:
        clusters.swendsen_wang(state, false);
        clusters.swendsen_wang(state, false);
        break;
      case Update::wolff:
        clusters.wolff(state, 8, false);
    }
  };
  for (Index n = 0; n < phi4_discarded; ++n) {
    sweep();
    if (update == Update::metropolis && n % 20 == 19 && n < phi4_discarded / 2) local.tune();
  }
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    sweep();
    const std::vector<double> numbers = sums.begin(state).take();
    for (Index replica = 0; replica < phi4_replicas; ++replica)
      series.push_back(value(sums.means(numbers, replica, kappa, lambda)));
  }
  const Estimate estimate = estimate_replicas(series, phi4_replicas);
  return {estimate.value, estimate.error};
}

/// <phi^2> of a single field of one component, by Simpson's rule.
double mean_square(double lambda) {
  constexpr int steps = 4000;
  constexpr double most = 6;
  double weight = 0, square = 0;
  for (int n = 0; n <= steps; ++n) {
    const double phi2 = std::pow(most * n / steps, 2);
    const double of_rule = n == 0 || n == steps ? 1 : n % 2 == 1 ? 4 : 2;
    const double of_field = of_rule * std::exp(-phi2 - lambda * (phi2 - 1) * (phi2 - 1));
    weight += of_field;
    square += of_field * phi2;
  }
  return square / weight;
}

}  // namespace

std::vector<ExactResult> exact_phi4() {
  constexpr Index length = 10;
  constexpr double kappa = 0.6;
  std::vector<ExactResult> results;
  for (int components = 1; components <= 4; ++components) {
    // The standard library has no Bessel function of order -1/2.
    const double exact = components == 1 ? std::tanh(2 * kappa)
                                         : std::cyl_bessel_i(components / 2.0, 2 * kappa) /
                                               std::cyl_bessel_i(components / 2.0 - 1, 2 * kappa);
    for (const Update update :
         {Update::metropolis, Update::heat_bath, Update::swendsen_wang, Update::wolff}) {
      if (update == Update::heat_bath && !phi4::has_heat_bath(components, infinity)) continue;
      results.push_back({fmt::format("open O({}) chain ({})", components, text_of(update)), exact,
                         true, [=](const Device& device, Index samples) {
                           return mean_of(
                               {{length}, {false}}, components, kappa, infinity, update,
                               [](const phi4::FieldMeans& means) { return means.bond; }, device,
                               samples);
                         }});
    }
  }
  constexpr double lambda = 0.5;
  results.push_back({"phi^2 of one site, lambda = 0.5 (Metropolis)", mean_square(lambda), true,
                     [](const Device& device, Index samples) {
                       return mean_of(
                           {{1}, {false}}, 1, 0, lambda, Update::metropolis,
                           [](const phi4::FieldMeans& means) { return means.phi2; }, device,
                           samples);
                     }});
  return results;
}

}  // namespace larmor::study
