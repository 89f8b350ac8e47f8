#include "larmor/spins/landscape/energy_surface.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/spins/landscape/tangent_view.hpp"
#include "larmor/spins/observables/whole_model.hpp"
#include "larmor/spins/state/random_direction.hpp"

namespace larmor::spins {
namespace {

/// Calls body(place) for the numbers of a replica, with all components of a site before the next
/// site.
template <class Body>
void for_each_number(const SpinLayout& layout, Index components, Index replica, const Body& body) {
  const bool one = layout.one_replica();
  const Index stride = one ? layout.padded_sites() : lane_count;
  for (Index site = 0; site < layout.sites; ++site) {
    const Index first =
        one ? site
            : ((replica / lane_count) * layout.padded_sites() + site) * components * lane_count +
                  replica % lane_count;
    for (Index c = 0; c < components; ++c) body(static_cast<std::size_t>(first + c * stride));
  }
}

void copy_spins(const StridedVectors& vectors, Index sites, Index replica, SiteVectors& spins) {
  const auto n = static_cast<std::size_t>(sites);
  spins.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double> e = vectors.load(replica, static_cast<Index>(i));
    spins[i] = e.x;
    spins[n + i] = e.y;
    spins[2 * n + i] = e.z;
  }
}

std::vector<double> numbers_of(const SpinState& spins) { return spins.save(); }
std::vector<double> numbers_of(const RealArray& array) { return array.to_host(); }
void set_numbers(SpinState& spins, const std::vector<double>& numbers) { spins.load(numbers); }
void set_numbers(RealArray& array, const std::vector<double>& numbers) { array.copy_from(numbers); }

}  // namespace

LandscapePoint::LandscapePoint(const Model& model, const SpinLayout& layout, const Device& device,
                               bool keeps_past)
    : axes(device, layout.numbers(), false),
      gradient(device, tangent_numbers(layout), false),
      direction(device, tangent_numbers(layout), false),
      new_gradient(device, tangent_numbers(layout), false),
      remembers(keeps_past),
      model_(&model),
      spins_(std::make_unique<SpinState>(device, layout, model.canonical())) {
  if (remembers)
    for (int k = 0; k < 2 * history_length; ++k)
      past_.emplace_back(device, tangent_numbers(layout), false);
  if (model.long_range() != nullptr) long_range_ = RealArray(device, layout.numbers(), false);
}

SurfaceView LandscapePoint::surface_at(const SpinState& spins, const Vec3<double>& uniform) {
  ModelView view = model_->view(layout().replicas);
  if (model_->long_range() != nullptr) {
    store_long_range_field(*model_->long_range(), spins, long_range_);
    view.long_range = long_range_.reals();
  }
  return {view, model_->moment_table(), uniform};
}

PointView LandscapePoint::view() const {
  PointView view{layout(),          spins_->reals(),      axes.reals(), gradient.reals(),
                 direction.reals(), new_gradient.reals(), {},           {}};
  if (remembers) {
    for (std::size_t k = 0; k < history_length; ++k) {
      view.step[k] = past_[k].reals();
      view.change[k] = past_[history_length + k].reals();
    }
  }
  return view;
}

void LandscapePoint::set_axes() {
  landscape_kernels(spins_->device())
      .set_axes(spins_->device(), Extent::all(layout()), spins_->reals(), axes.reals());
}

/// Calls body(numbers of a spin, array) for every array.
template <class Point, class Body>
void LandscapePoint::for_each_array(Point& point, const Body& body) {
  body(Index{3}, *point.spins_);
  body(Index{3}, point.axes);
  for (auto* array : {&point.gradient, &point.direction}) body(Index{2}, *array);
  for (auto& array : point.past_) body(Index{2}, array);
}

std::size_t LandscapePoint::numbers_of_replica() const {
  return static_cast<std::size_t>(layout().sites) * (3 + 3 + 2 + 2 + 2 * past_.size());
}

void LandscapePoint::save(std::span<double> numbers,
                          std::span<const std::size_t> first_of_replica) const {
  std::size_t first = 0;
  for_each_array(*this, [&](Index components, const auto& array) {
    const std::vector<double> host = numbers_of(array);
    for (std::size_t replica = 0; replica < first_of_replica.size(); ++replica) {
      std::size_t next = first_of_replica[replica] + first;
      for_each_number(layout(), components, static_cast<Index>(replica),
                      [&](std::size_t place) { numbers[next++] = host[place]; });
    }
    first += static_cast<std::size_t>(components * layout().sites);
  });
}

void LandscapePoint::load(std::span<const double> numbers,
                          std::span<const std::size_t> first_of_replica) {
  std::size_t first = 0;
  for_each_array(*this, [&](Index components, auto& array) {
    std::vector<double> host = numbers_of(array);
    for (std::size_t replica = 0; replica < first_of_replica.size(); ++replica) {
      std::size_t next = first_of_replica[replica] + first;
      for_each_number(layout(), components, static_cast<Index>(replica),
                      [&](std::size_t place) { host[place] = numbers[next++]; });
    }
    set_numbers(array, host);
    first += static_cast<std::size_t>(components * layout().sites);
  });
}

double point_bytes(const SpinLayout& layout, bool remembers, Precision precision) {
  const auto spins = static_cast<double>(bytes_of_reals(precision, layout.numbers()));
  const double axes = 8.0 * static_cast<double>(layout.numbers());
  const double tangents = 8.0 * static_cast<double>(tangent_numbers(layout));
  return spins + axes + (3 + (remembers ? 2 * history_length : 0)) * tangents;
}

double saved_point_bytes(const SpinLayout& layout, bool remembers) {
  const double of_site = 3 + 3 + 2 + 2 + (remembers ? 4 * history_length : 0);
  return 8.0 * of_site * static_cast<double>(layout.sites * layout.replicas);
}

double energy_rounding(Precision precision, Index sites) {
  const auto n = static_cast<double>(sites);
  if (precision == Precision::double_numbers) return 1e-14 * n;
  // Bonds read floats. If all spins are equal, all rounding errors are equal too and do not average
  // out.
  return std::max(3e-7 * std::sqrt(n), 6e-8 * n);
}

double finest_tolerance(Precision precision) {
  return precision == Precision::double_numbers ? 0 : 3e-7;
}

Device device_for(const Device& device, const SpinLayout& layout) {
  constexpr Index spins_worth_threads = 4096;
  Device chosen = device;
  if (layout.sites * layout.replicas < spins_worth_threads) chosen.threads = 1;
  return chosen;
}

void copy_spins(const SpinState& state, Index replica, SiteVectors& spins) {
  copy_spins(state.vectors(), state.layout().sites, replica, spins);
}

std::vector<SiteVectors> copy_all_spins(const SpinState& state) {
  const StridedVectors vectors = state.vectors();
  std::vector<SiteVectors> all(static_cast<std::size_t>(state.layout().replicas));
  for (std::size_t r = 0; r < all.size(); ++r)
    copy_spins(vectors, state.layout().sites, static_cast<Index>(r), all[r]);
  return all;
}

void store_spins(std::span<const SiteVectors> spins, Index first, SpinState& state) {
  std::vector<double> numbers = state.save();
  const VectorView view(numbers.data(), state.layout());
  const auto n = static_cast<std::size_t>(state.layout().sites);
  for (std::size_t r = 0; r < spins.size(); ++r) {
    const double* p = spins[r].data();
    for (std::size_t i = 0; i < n; ++i)
      view.store(ScalarSlot<>{static_cast<Index>(i), first + static_cast<Index>(r)},
                 {p[i], p[n + i], p[2 * n + i]});
  }
  state.load(numbers);
}

void perturb(SpinState& state, std::span<const std::int32_t> canonical, std::uint64_t seed,
             double angle, Index first, Index last, RandomTurns turns) {
  const Device& device = state.device();
  const SpinLayout& layout = state.layout();
  const bool alike = turns == RandomTurns::replicas_alike;
  const RandomKey key{seed, state.step++, Stream::perturbation,
                      alike ? 0 : static_cast<std::uint64_t>(layout.first_replica)};
  // No site has this number.
  constexpr std::uint64_t all_sites = ~std::uint64_t{0};
  const bool together = turns == RandomTurns::half_together;
  const double share = together ? angle / 2 : angle;
  std::vector<double> numbers(static_cast<std::size_t>(perturb_numbers * layout.padded_replicas()));
  const auto number = [&](int row, Index replica) -> double& {
    return numbers[static_cast<std::size_t>(row * layout.padded_replicas() + replica)];
  };
  for (Index r = first; r < last; ++r) {
    number(perturb_each, r) = share;
    if (!together) continue;
    const Vec3<double> axis = random_direction(key, all_sites, static_cast<std::uint64_t>(r));
    number(perturb_all, r) = share * axis.x;
    number(perturb_all + 1, r) = share * axis.y;
    number(perturb_all + 2, r) = share * axis.z;
  }
  const Array<double> of_replica(device, numbers);
  const Array<std::int32_t> of_position(device, canonical);
  landscape_kernels(device).perturb(device, Extent::all(layout), state.reals(), of_position.data(),
                                    key, of_replica.data(), alike);
  synchronise(device);
}

}  // namespace larmor::spins
