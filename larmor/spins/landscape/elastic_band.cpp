#include "larmor/spins/landscape/elastic_band.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/path_start.hpp"

namespace larmor::spins {
namespace {

// Of the damped dynamics, as its authors recommend.
constexpr double first_mixing = 0.1, mixing_decay = 0.99, faster = 1.1, slower = 0.5;
constexpr double steps_before_faster = 5;

/// An image begins to climb once the path is this many tolerances from convergence.
constexpr double loose = 100;

}  // namespace

ElasticBand::ElasticBand(const Model& model, const BandSettings& settings, const Device& device)
    : device_(device_for(device, model.layout(settings.images))),
      model_(&model),
      settings_(settings),
      state_(device_, model.layout(settings.images), model.canonical()),
      surface_(model, device_, state_.layout()) {
  const std::size_t doubles = static_cast<std::size_t>(3 * model.sites());
  for (auto* vectors : {&spins_, &velocity_, &force_})
    vectors->assign(count(), SiteVectors(doubles));
  for (auto* numbers : {&energy_, &slope_, &size_, &field_size_}) numbers->assign(count(), 0.0);
}

void ElasticBand::start(const std::vector<SiteVectors>& path) {
  for (std::size_t i = 0; i < count(); ++i) store_spins(path[i], static_cast<Index>(i), state_);
  settle();
  evaluate();
}

void ElasticBand::perturb(std::uint64_t seed, std::uint64_t step, double angle) {
  state_.step = step;
  spins::perturb(state_, model_->canonical(), seed, angle, 1, settings_.images - 1);
  settle();
  evaluate();
}

/// Everything at rest.
void ElasticBand::settle() {
  for (SiteVectors& v : velocity_) std::fill(v.begin(), v.end(), 0.0);
  timestep_ = 0;
  mixing_ = first_mixing;
  downhill_ = 0;
}

double ElasticBand::total(const std::vector<SiteVectors>& a,
                          const std::vector<SiteVectors>& b) const {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < count(); ++i) sum += inner_product(a[i], b[i], device_.threads);
  return sum;
}

void ElasticBand::evaluate() {
  surface_.evaluate(state_);
  for (std::size_t i = 0; i < count(); ++i) {
    energy_[i] = surface_.energy(static_cast<Index>(i));
    copy_spins(state_, static_cast<Index>(i), spins_[i]);
  }
  for_each_replica(device_, state_.layout(), [&](Index image, int threads) {
    set_force(static_cast<std::size_t>(image), threads);
  });
}

void ElasticBand::set_force(std::size_t i, int threads) {
  SiteVectors ahead(spins_[i].size()), behind(spins_[i].size()), field;
  const bool first = i == 0, last = i + 1 == count();
  if (!last) shortest_turn(spins_[i], spins_[i + 1], ahead, threads);
  if (!first) shortest_turn(spins_[i], spins_[i - 1], behind, threads);
  const double to_next = std::sqrt(inner_product(ahead, ahead, threads));
  const double to_last = std::sqrt(inner_product(behind, behind, threads));
  // The tangent points to the higher neighbour; at an extremum both share, by how much higher.
  const double up = last ? 0 : energy_[i + 1] - energy_[i];
  const double down = first ? 0 : energy_[i] - energy_[i - 1];
  double weight_ahead = first || (up > 0 && down > 0) ? 1 : 0;
  double weight_behind = last || (up < 0 && down < 0) ? 1 : 0;
  if (weight_ahead + weight_behind == 0) {
    const double larger = std::max(std::abs(up), std::abs(down));
    const double smaller = std::min(std::abs(up), std::abs(down));
    const bool next_is_higher = up + down > 0;
    weight_ahead = next_is_higher ? larger : smaller;
    weight_behind = next_is_higher ? smaller : larger;
    if (larger == 0) weight_ahead = weight_behind = 1;
  }
  SiteVectors tangent(spins_[i].size());
  add_scaled(weight_ahead, ahead, tangent, threads);
  add_scaled(-weight_behind, behind, tangent, threads);
  const double size = std::sqrt(inner_product(tangent, tangent, threads));
  if (size > 0)
    for (double& t : tangent) t /= size;

  surface_.copy_field(static_cast<Index>(i), field);
  SiteVectors& force = force_[i];
  field_size_[i] = gradient(spins_[i], field, force, threads).field;
  for (double& f : force) f = -f;
  slope_[i] = -inner_product(force, tangent, threads);
  if (first || last) {
    std::fill(force.begin(), force.end(), 0.0);
    return;
  }
  const bool climbs = static_cast<Index>(i) == climbing_;
  add_scaled((climbs ? 2 : 1) * slope_[i], tangent, force, threads);
  size_[i] = largest_length(force, threads);
  if (!climbs) add_scaled(settings_.spring * (to_next - to_last), tangent, force, threads);
}

Index ElasticBand::run(Index iterations) {
  Index made = 0;
  while (made < iterations && !converged_) {
    const double force = largest_force();
    const Index top = highest();
    const bool inside = top > 0 && top + 1 < settings_.images;
    const bool higher =
        climbing_ == 0 || energy_[static_cast<std::size_t>(top)] >
                              energy_[static_cast<std::size_t>(climbing_)] + settings_.tolerance;
    if (settings_.climb && inside && higher &&
        force <= (climbing_ == 0 ? loose : 1) * settings_.tolerance) {
      climbing_ = top;
      settle();
      evaluate();
      continue;
    }
    if (force <= settings_.tolerance) {
      converged_ = true;
      break;
    }
    move();
    ++made;
  }
  return made;
}

void ElasticBand::move() {
  const double power = total(force_, velocity_);
  const double stiffness =
      std::max(2 * *std::max_element(field_size_.begin(), field_size_.end()), 4 * settings_.spring);
  const double longest_step = 1 / std::sqrt(stiffness);
  if (timestep_ == 0) timestep_ = 0.2 * longest_step;
  if (power > 0) {
    const double speed = std::sqrt(total(velocity_, velocity_) / total(force_, force_));
    for (std::size_t i = 1; i + 1 < count(); ++i) {
      for (double& v : velocity_[i]) v *= 1 - mixing_;
      add_scaled(mixing_ * speed, force_[i], velocity_[i], device_.threads);
    }
    if (++downhill_ > steps_before_faster) {
      timestep_ = std::min(faster * timestep_, longest_step);
      mixing_ *= mixing_decay;
    }
  } else {
    for (SiteVectors& v : velocity_) std::fill(v.begin(), v.end(), 0.0);
    // From rest the power is zero, and no step was too long.
    if (power < 0) timestep_ = std::max(slower * timestep_, 0.01 * longest_step);
    mixing_ = first_mixing;
    downhill_ = 0;
  }
  for_each_replica(device_, state_.layout(), [&](Index image, int threads) {
    if (image == 0 || image + 1 == settings_.images) return;
    const auto i = static_cast<std::size_t>(image);
    SiteVectors& velocity = velocity_[i];
    add_scaled(timestep_, force_[i], velocity, threads);
    const double fastest = timestep_ * largest_length(velocity, threads);
    if (fastest > settings_.max_rotation)
      for (double& v : velocity) v *= settings_.max_rotation / fastest;
    SiteVectors moved(velocity.size()), carried = velocity;
    turn(spins_[i], velocity, timestep_, moved, threads);
    SiteVectors* const vectors[] = {&carried};
    carry(spins_[i], velocity, timestep_, vectors, threads);
    velocity.swap(carried);
    store_spins(moved, image, state_);
  });
  evaluate();
}

std::vector<double> ElasticBand::coordinates() const {
  std::vector<double> reached{0};
  for (std::size_t i = 0; i + 1 < count(); ++i)
    reached.push_back(reached[i] + distance(spins_[i], spins_[i + 1], device_.threads));
  return reached;
}

double ElasticBand::largest_force() const { return *std::max_element(size_.begin(), size_.end()); }

Index ElasticBand::highest() const {
  return std::max_element(energy_.begin(), energy_.end()) - energy_.begin();
}

std::vector<double> ElasticBand::save() const {
  std::vector<double> numbers = state_.save();
  save_numbers(numbers, {static_cast<double>(climbing_), converged_ ? 1.0 : 0.0, timestep_, mixing_,
                         downhill_});
  for (const SiteVectors& v : velocity_) save_numbers(numbers, v);
  return numbers;
}

void ElasticBand::load(std::span<const double> saved) {
  state_.load(take_numbers(saved, static_cast<std::size_t>(state_.layout().numbers())));
  climbing_ = static_cast<Index>(take_number(saved));
  converged_ = take_number(saved) != 0;
  for (double* number : {&timestep_, &mixing_, &downhill_}) *number = take_number(saved);
  for (SiteVectors& v : velocity_) take_into(saved, v);
  evaluate();
}

double band_bytes(Index images, Index sites) {
  // Spins twice, velocities, forces, the field, and a few vectors while an image moves.
  return 8.0 * 8 * static_cast<double>(SpinLayout{sites, images}.numbers());
}

}  // namespace larmor::spins
