#include "larmor/fitting/errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/evaluation/evaluator.hpp"
#include "larmor/fitting/design.hpp"

namespace larmor::fitting {
namespace {

/// Targets and predictions of one configuration.
struct Compared {
  std::array<std::vector<double>, kinds> target, predicted;
};

Compared compare(const evaluation::Evaluated& found, const Settings& settings,
                 const Configuration& configuration) {
  Compared compared;
  const auto add = [&](Kind kind, double target, double predicted) {
    compared.target[static_cast<std::size_t>(kind)].push_back(target);
    compared.predicted[static_cast<std::size_t>(kind)].push_back(predicted);
  };
  const auto is_used = [&](Kind kind) {
    return settings.uses[static_cast<std::size_t>(kind)] && configuration.has(kind);
  };
  const auto atoms = static_cast<double>(configuration.atoms());
  if (is_used(Kind::energy)) add(Kind::energy, *configuration.energy / atoms, found.energy / atoms);
  if (is_used(Kind::force))
    for (std::size_t i = 0; i < found.forces.size(); ++i) {
      const Vec3<double>&wanted = configuration.forces[i], &force = found.forces[i];
      add(Kind::force, wanted.x, force.x);
      add(Kind::force, wanted.y, force.y);
      add(Kind::force, wanted.z, force.z);
    }
  if (is_used(Kind::stress)) {
    const double per_volume =
        settings.stress.sign * settings.stress.size / configuration.frame.atoms.box.volume();
    for (std::size_t d = 0; d < 6; ++d)
      add(Kind::stress, (*configuration.stress)[d], per_volume * found.virial[d]);
  }
  return compared;
}

void count(KindErrors& errors, double target, double predicted) {
  const double error = std::abs(predicted - target);
  ++errors.count;
  errors.mean_absolute += error;
  errors.root_mean_square += error * error;
  errors.largest = std::max(errors.largest, error);
}

void divide(ErrorTable& table) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (auto& of_part : table)
    for (KindErrors& errors : of_part) {
      if (errors.count == 0) {
        errors = {0, unknown, unknown, unknown};
        continue;
      }
      errors.mean_absolute /= static_cast<double>(errors.count);
      errors.root_mean_square =
          std::sqrt(errors.root_mean_square / static_cast<double>(errors.count));
    }
}

std::vector<Compared> compare_all(evaluation::Evaluator& evaluator, const Settings& settings,
                                  std::span<const Configuration> configurations) {
  std::vector<Compared> compared;
  while (compared.size() < configurations.size()) {
    std::vector<io::AtomFrame> frames;
    Index atoms = 0;
    for (std::size_t n = compared.size();
         n < configurations.size() && atoms < evaluator.atoms_of_batch(); ++n) {
      atoms += configurations[n].atoms();
      frames.push_back(configurations[n].frame);
    }
    for (const evaluation::Evaluated& found : evaluator.evaluate(frames))
      compared.push_back(compare(found, settings, configurations[compared.size()]));
  }
  return compared;
}

}  // namespace

Errors errors_of(const atoms::snap::SnapPotential& potential, const Settings& settings,
                 std::span<const Configuration> configurations, const Device& device) {
  const evaluation::OverlaidPotential overlaid(potential, reference_of(settings), device);
  const auto evaluator = evaluation::evaluator_on(device, overlaid, false);
  const std::vector<Compared> compared = compare_all(*evaluator, settings, configurations);
  Errors errors{{}, std::vector<ErrorTable>(settings.groups.size()), {}};
  // BITS: added in the order of the configurations.
  for (std::size_t n = 0; n < compared.size(); ++n) {
    const Configuration& configuration = configurations[n];
    for (std::size_t kind = 0; kind < kinds; ++kind)
      for (std::size_t i = 0; i < compared[n].target[kind].size(); ++i) {
        const double target = compared[n].target[kind][i];
        const double predicted = compared[n].predicted[kind][i];
        count(errors.all[configuration.is_test][kind], target, predicted);
        count(errors.of_group[configuration.group][configuration.is_test][kind], target, predicted);
        Parity& parity = errors.parity[kind];
        parity.target.push_back(target);
        parity.predicted.push_back(predicted);
        parity.group.push_back(static_cast<std::int32_t>(configuration.group));
        parity.is_test.push_back(configuration.is_test);
      }
  }
  divide(errors.all);
  for (ErrorTable& table : errors.of_group) divide(table);
  return errors;
}

}  // namespace larmor::fitting
