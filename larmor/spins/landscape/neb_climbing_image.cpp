// The choice of the climbing image, and the search for maxima between images.

#include <algorithm>

#include "larmor/paths/interpolation.hpp"
#include "larmor/spins/landscape/geodesic_neb.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/neb_policy.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/spins/observables/observables.hpp"

namespace larmor::spins {

/// Writes the images, shifted along the vectors to their neighbours, to `turned_`.
/// @param numbers (ImageShift, padded replicas)
void GeodesicNeb::shift(const std::vector<double>& numbers) const {
  numbers_.copy_range_from(numbers, 0);
  landscape_kernels(device_).shift_images(device_, extent(), images_view({}), turned_->reals(),
                                          numbers_.data());
}

/// The highest point between each image and the next, from intermediate states. [images - 1]
std::vector<GeodesicNeb::PathPoint> GeodesicNeb::highest_of_gaps() const {
  std::vector<PathPoint> found;
  for (std::size_t i = 0; i + 1 < count(); ++i) found.push_back({path_.energy[i], i, 0});
  for (int division = 1; division < neb::gap_divisions; ++division) {
    std::vector<double> numbers(shift_numbers * padded());
    for (std::size_t i = 0; i + 1 < count(); ++i)
      numbers[shift_ahead * padded() + i] = static_cast<double>(division) / neb::gap_divisions;
    shift(numbers);
    const std::vector<double> energies = energy_per_site(*model_, *turned_);
    for (std::size_t i = 0; i + 1 < count(); ++i) {
      const double energy = energies[i] * static_cast<double>(point_.layout().spins());
      if (energy > found[i].energy) found[i] = {energy, i, division};
    }
  }
  return found;
}

/// The highest point of the path, including states between the images.
GeodesicNeb::PathPoint GeodesicNeb::highest_point() const {
  PathPoint found{path_.height(), path_.highest(), 0};
  for (const PathPoint& point : highest_of_gaps())
    if (point.energy > found.energy) found = point;
  return found;
}

/// Does an energy exceed that of an image by a fraction of the image's height above the ends?
bool GeodesicNeb::is_higher(double energy, std::size_t image, double fraction) const {
  const double height = path_.energy[image] - path_.higher_end();
  return energy - path_.energy[image] > fraction * height + settings_.tolerance;
}

bool GeodesicNeb::climbing_is_highest() const {
  return path_.climbing > 0 && path_.height() <= path_.energy[path_.climbing] + settings_.tolerance;
}

void GeodesicNeb::climb_from(std::size_t image) {
  path_.climbing = image;
  reselection_step_ = neb::reselection_growth * steps_ + neb::reselection_delay;
  restart();
  start_highest_ = std::max(start_highest_, path_.energy[image]);
}

/// Selects the highest image to climb. If the path is clearly higher between images, the image next
/// to the highest point moves to this point and climbs. If an end is the highest image, only such a
/// point can be chosen. States between images lie slightly above the path, the more so the farther
/// images are apart.
void GeodesicNeb::select_climbing_image() {
  const PathPoint found = highest_point();
  const std::size_t highest = path_.highest();
  if (!path_.is_end(highest) && !is_higher(found.energy, highest, neb::clear_rise))
    return climb_from(highest);
  if (found.division == 0) return;
  const bool ahead =
      found.gap == 0 || (found.division > neb::gap_divisions / 2 && found.gap + 2 < count());
  const std::size_t image = ahead ? found.gap + 1 : found.gap;
  std::vector<double> numbers(shift_numbers * padded());
  const double fraction = static_cast<double>(found.division) / neb::gap_divisions;
  numbers[(ahead ? shift_behind : shift_ahead) * padded() + image] =
      ahead ? 1 - fraction : fraction;
  shift(numbers);
  point_.exchange_spins(turned_);
  climb_from(image);
}

/// Moves an image next to a gap to the maximum of this gap, and lets it climb.
void GeodesicNeb::climb_from(const GapMaximum& maximum) {
  const std::size_t gap = maximum.gap;
  const bool ahead = gap == 0 || (gap == path_.climbing && gap + 2 < count());
  const std::size_t image = ahead ? gap + 1 : gap;
  store_spins({&maximum.state, 1}, static_cast<Index>(image), point_.spins());
  climb_from(image);
}

/// Is the climbing image at a minimum? From a minimum, the energy rises in both directions along
/// the path. This may also hold next to a saddle from which the path leads away at an angle. But
/// only a minimum has neighbouring states that return to it when they are minimised. In a flat
/// valley these states do not move.
bool GeodesicNeb::climbing_is_minimum() const {
  const std::size_t image = path_.climbing;
  const double energy = path_.energy[image];
  const auto spins = static_cast<double>(point_.layout().spins());
  std::vector<SiteVectors> probes;
  for (const double step : {-neb::probe_distance, neb::probe_distance}) {
    std::vector<double> numbers(shift_numbers * padded());
    numbers[shift_ahead * padded() + image] = step * path_.tangent_ahead[image];
    numbers[shift_behind * padded() + image] = step * path_.tangent_behind[image];
    shift(numbers);
    if (energy_per_site(*model_, *turned_)[image] * spins <= energy) return false;
    copy_spins(*turned_, climbing(), probes.emplace_back());
  }
  const SpinLayout two = model_->layout(2);
  SpinState state(device_, two, model_->canonical());
  store_spins(probes, 0, state);
  Minimiser minimiser(*model_, two,
                      {.tolerance = settings_.tolerance, .max_rotation = settings_.max_rotation},
                      device_);
  minimiser.start(state);
  minimiser.run(state, neb::probe_steps);
  const double rounding =
      neb::probe_rounding * energy_rounding(device_.precision, two.spins()) * largest_field();
  SiteVectors climbing_state;
  copy_spins(point_.spins(), climbing(), climbing_state);
  const std::vector<double> energies = minimiser.energies();
  const std::vector<SiteVectors> relaxed = copy_all_spins(state);
  for (std::size_t i = 0; i < relaxed.size(); ++i) {
    const double away = distance(relaxed[i], climbing_state, device_.threads);
    if (energies[i] * spins < energy - rounding || away > neb::probe_return * neb::probe_distance)
      return false;
  }
  return true;
}

bool GeodesicNeb::rises_between_images() const { return missed_maximum().has_value(); }

/// If images are too few for the saddles of the path, an image may climb to a saddle while a higher
/// saddle lies between two images. If these two images are on the flanks of the higher saddle,
/// their slopes detect this saddle. If the two images are in the valleys on both sides, states
/// between them detect it. Both methods overestimate the path if images are far apart. So a path of
/// few images is optimised between the two images.
std::optional<GeodesicNeb::GapMaximum> GeodesicNeb::missed_maximum() const {
  if (path_.climbing == 0) return std::nullopt;
  const paths::PathCurve curve =
      paths::interpolate_path(coordinates(), path_.energy, path_.slope, neb::gap_divisions);
  std::vector<PathPoint> gaps = highest_of_gaps();
  for (std::size_t n = 0; n < curve.energy.size(); ++n) {
    PathPoint& gap = gaps[std::min(n / neb::gap_divisions, count() - 2)];
    gap.energy = std::max(gap.energy, curve.energy[n]);
  }
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const PathPoint& a, const PathPoint& b) { return a.energy > b.energy; });
  for (const PathPoint& gap : gaps) {
    if (!is_higher(gap.energy, path_.climbing, neb::possible_rise)) break;
    const GapMaximum found = optimised_maximum(gap.gap);
    if (is_higher(found.energy, path_.climbing, neb::possible_rise)) return found;
  }
  return std::nullopt;
}

GeodesicNeb::GapMaximum GeodesicNeb::optimised_maximum(std::size_t gap) const {
  NebSettings settings = settings_;
  settings.images = neb::gap_images;
  settings.method = NebMethod::velocity_projection;
  settings.climb = false;
  GeodesicNeb between(*model_, settings, device_);
  std::vector<SiteVectors> ends(2);
  for (std::size_t end = 0; end < 2; ++end)
    copy_spins(point_.spins(), static_cast<Index>(gap + end), ends[end]);
  between.start(geodesic_path(ends, settings.images, std::nullopt));
  between.run(neb::gap_steps);
  GapMaximum maximum{between.height(), gap, {}};
  // If an end of `between` is its highest image, the path does not rise between the two images.
  copy_spins(between.images(), between.highest(), maximum.state);
  return maximum;
}

}  // namespace larmor::spins
