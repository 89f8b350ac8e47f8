#include "larmor/trotter/continuous_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/trotter/line_view.hpp"

namespace larmor::trotter {
namespace {

/// Adds factor * int s dt between borders to each piece. Piece n ends at border n, and the last one
/// at t = 1. @param pieces [borders + 1]
void add_integrals(const WorldLine& line, double factor, const std::vector<double>& borders,
                   std::vector<double>& pieces) {
  std::size_t kink = 0;
  double spin = line.first, from = 0;
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    const double end = n < borders.size() ? borders[n] : 1;
    double integral = 0;
    for (; kink < line.kinks.size() && line.kinks[kink] < end; ++kink) {
      integral += spin * (line.kinks[kink] - from);
      from = line.kinks[kink];
      spin = -spin;
    }
    integral += spin * (end - from);
    from = end;
    pieces[n] += factor * integral;
  }
}

/// Updates the lines of one replica.
class ReplicaUpdate {
 public:
  ReplicaUpdate(const ContinuousModel& model, const Instance& instance, std::span<WorldLine> lines)
      : model_(model), instance_(instance), lines_(lines) {}

  void operator()(const RandomKey& key, Index replica) {
    for (Index site = 0; site < model_.sites(); ++site) {
      NumberSequence numbers(key, site, replica);
      cut(numbers, site);
      add_fields(site);
      draw(numbers, lines_[static_cast<std::size_t>(site)]);
    }
  }

 private:
  void cut(NumberSequence& numbers, Index site) {
    const double rate = instance_.beta * instance_.Gamma[static_cast<std::size_t>(site)];
    cuts_.clear();
    if (rate > 0)
      for (double t = -logarithm(numbers.next()) / rate; t < 1;
           t -= logarithm(numbers.next()) / rate)
        cuts_.push_back(t);
    const std::vector<double>& kinks = lines_[static_cast<std::size_t>(site)].kinks;
    borders_.resize(kinks.size() + cuts_.size());
    std::merge(kinks.begin(), kinks.end(), cuts_.begin(), cuts_.end(), borders_.begin());
    // Two equal times would make a piece without a length.
    borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
  }
  void add_fields(Index site) {
    const auto i = static_cast<std::size_t>(site);
    const double h = instance_.beta * instance_.h[i];
    field_.resize(borders_.size() + 1);
    for (std::size_t n = 0; n < field_.size(); ++n)
      field_[n] = h * ((n < borders_.size() ? borders_[n] : 1) - (n > 0 ? borders_[n - 1] : 0));
    for (Index n = model_.graph().offset[i]; n < model_.graph().offset[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      const auto bond = static_cast<std::size_t>(model_.graph().bond[entry]);
      add_integrals(lines_[static_cast<std::size_t>(model_.graph().neighbour[entry])],
                    instance_.beta * instance_.J[bond], borders_, field_);
    }
    // The last and the first piece are one.
    if (!borders_.empty()) field_.front() += field_.back();
  }
  void draw(NumberSequence& numbers, WorldLine& line) {
    const auto drawn = [&](double field) {
      return static_cast<std::int8_t>(numbers.next() * (1 + exponential(2 * field)) < 1 ? -1 : 1);
    };
    const std::int8_t first = drawn(field_.front());
    line.first = first;
    line.kinks.clear();
    std::int8_t before = first;
    for (std::size_t n = 0; n < borders_.size(); ++n) {
      const std::int8_t spin = n + 1 < borders_.size() ? drawn(field_[n + 1]) : first;
      if (spin != before) line.kinks.push_back(borders_[n]);
      before = spin;
    }
  }

  const ContinuousModel& model_;
  const Instance& instance_;
  std::span<WorldLine> lines_;
  std::vector<double> cuts_, borders_, field_;
};

double product_integral(const WorldLine& a, const WorldLine& b) {
  std::size_t i = 0, j = 0;
  double spin = a.first * b.first, from = 0, integral = 0;
  while (i < a.kinks.size() || j < b.kinks.size()) {
    const bool of_a = j == b.kinks.size() || (i < a.kinks.size() && a.kinks[i] < b.kinks[j]);
    const double t = of_a ? a.kinks[i++] : b.kinks[j++];
    integral += spin * (t - from);
    from = t;
    spin = -spin;
  }
  return integral + spin * (1 - from);
}

double spin_integral(const WorldLine& line) { return product_integral(line, WorldLine{}); }

[[noreturn]] void refuse_saved(const std::string& problem) {
  throw InputError("saved world lines " + problem, "resume from a state of this study");
}

}  // namespace

ContinuousModel::ContinuousModel(const SystemGraph& graph, std::vector<Instance> instances,
                                 Index copies)
    : system_(graph), instances_(std::move(instances)), copies_(copies) {
  if (instances_.empty() || copies_ < 1)
    throw InputError("the simulation has no replicas", "give at least one instance and one copy");
  for (const Instance& instance : instances_) validate(system_, instance);
  require_own_random_numbers(replicas());
  graph_ = lattice::graph_of<Bond>(system_.sites, system_.bonds);
}

ContinuousState::ContinuousState(const ContinuousModel& model)
    : model_(&model), lines_(static_cast<std::size_t>(model.replicas() * model.sites())) {}

std::span<WorldLine> ContinuousState::lines(Index replica) {
  return {lines_.data() + replica * model_->sites(), static_cast<std::size_t>(model_->sites())};
}
std::span<const WorldLine> ContinuousState::lines(Index replica) const {
  return {lines_.data() + replica * model_->sites(), static_cast<std::size_t>(model_->sites())};
}

void ContinuousState::randomise(std::uint64_t seed) {
  const RandomKey key{seed, 0, Stream::initial_configuration};
  for (Index replica = 0; replica < model_->replicas(); ++replica)
    for (Index site = 0; site < model_->sites(); ++site)
      lines(replica)[static_cast<std::size_t>(site)] = {
          static_cast<std::int8_t>(NumberSequence(key, site, replica).next() < 0.5 ? -1 : 1), {}};
}

void ContinuousState::exchange(Index replica, Index other) {
  std::swap_ranges(lines(replica).begin(), lines(replica).end(), lines(other).begin());
}

std::vector<double> ContinuousState::save() const {
  std::vector<double> saved;
  for (const WorldLine& line : lines_) {
    saved.push_back(line.first);
    saved.push_back(static_cast<double>(line.kinks.size()));
    saved.insert(saved.end(), line.kinks.begin(), line.kinks.end());
  }
  return saved;
}

void ContinuousState::restore(std::span<const double> saved) {
  for (WorldLine& line : lines_) {
    if (saved.size() < 2) refuse_saved("end too early");
    const double first = saved[0], count = saved[1];
    if (first != 1 && first != -1) refuse_saved("have a spin that is neither 1 nor -1");
    saved = saved.subspan(2);
    if (!(count >= 0) || count > static_cast<double>(saved.size()) || std::fmod(count, 2) != 0)
      refuse_saved("have an impossible number of kinks");
    const auto kinks = saved.first(static_cast<std::size_t>(count));
    double before = -1;
    for (const double t : kinks) {
      if (!(t >= 0) || !(t < 1) || !(t > before)) refuse_saved("have kinks that do not ascend");
      before = t;
    }
    line.first = static_cast<std::int8_t>(first);
    line.kinks.assign(kinks.begin(), kinks.end());
    saved = saved.subspan(kinks.size());
  }
  if (!saved.empty()) refuse_saved("have numbers behind the last line");
}

LineSums ContinuousState::sums(Index replica) const {
  LineSums sums;
  const auto of_replica = lines(replica);
  for (const Bond& bond : model_->system().bonds)
    sums.bond.push_back(pair(replica, bond.i, bond.j));
  for (const WorldLine& line : of_replica) {
    sums.site.push_back(spin_integral(line));
    sums.kinks.push_back(static_cast<std::int32_t>(line.kinks.size()));
  }
  return sums;
}

double ContinuousState::pair(Index replica, Index i, Index j) const {
  const auto of_replica = lines(replica);
  return product_integral(of_replica[static_cast<std::size_t>(i)],
                          of_replica[static_cast<std::size_t>(j)]);
}

void ContinuousState::read_slices(Index replica, const TimeWords& time, double shift,
                                  std::vector<std::uint32_t>& words) const {
  words.assign(static_cast<std::size_t>(model_->sites() * time.words), 0);
  const auto of_replica = lines(replica);
  for (Index site = 0; site < model_->sites(); ++site) {
    const WorldLine& line = of_replica[static_cast<std::size_t>(site)];
    std::size_t kink = 0;
    for (int k = 0; k < time.slices(); ++k) {
      const double t = (k + shift) / time.slices();
      while (kink < line.kinks.size() && line.kinks[kink] <= t) ++kink;
      if ((line.first < 0) != (kink % 2 != 0))
        words[static_cast<std::size_t>(site * time.words + time.word_of(k))] |=
            1u << time.bit_of(k, 0);
    }
  }
}

ContinuousSampler::ContinuousSampler(const ContinuousModel& model, std::uint64_t seed,
                                     const UpdateCounter& steps, int threads)
    : model_(&model), seed_(seed), steps_(steps), threads_(threads) {}

void ContinuousSampler::sweep(ContinuousState& state, Index sweeps) {
  const std::uint64_t first = steps_;
  parallel_for(threads_, model_->replicas(), [&](Index replica) {
    ReplicaUpdate update(*model_, model_->instance_of_replica(replica), state.lines(replica));
    for (Index n = 0; n < sweeps; ++n)
      update({seed_, first + static_cast<std::uint64_t>(n), Stream::world_line}, replica);
  });
  steps_ += static_cast<std::uint64_t>(sweeps);
}

EnergyTerms energy_terms(const Instance& instance, const LineSums& sums) {
  double energy = 0, kinks = 0;
  for (std::size_t b = 0; b < sums.bond.size(); ++b) energy -= instance.J[b] * sums.bond[b];
  for (std::size_t i = 0; i < sums.site.size(); ++i) {
    energy -= instance.h[i] * sums.site[i];
    kinks += sums.kinks[i];
  }
  return {energy - kinks / instance.beta, -kinks / (instance.beta * instance.beta)};
}

std::vector<double> transverse_spins(const Instance& instance, const LineSums& sums) {
  std::vector<double> x;
  for (std::size_t i = 0; i < sums.kinks.size(); ++i)
    x.push_back(instance.Gamma[i] == 0 ? 0 : sums.kinks[i] / (instance.beta * instance.Gamma[i]));
  return x;
}

}  // namespace larmor::trotter
