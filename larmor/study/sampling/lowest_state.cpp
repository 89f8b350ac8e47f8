#include "larmor/study/sampling/lowest_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace larmor::study {
namespace {

/// Energies are sums of many numbers, in any order, so equal energies may differ by rounding.
double tolerance(double energy) { return 1e-9 * std::max(1.0, std::abs(energy)); }

}  // namespace

bool LowestState::has(double energy) const {
  return found_ && energy <= found_->energy + tolerance(found_->energy);
}

void LowestState::record(const Simulation& simulation, const Ensemble& ensemble,
                         std::span<const double> energies, double temperature,
                         ResultsGroup& results) {
  const Ranks& ranks = simulation.ranks;
  const auto own = std::min_element(energies.begin(), energies.end());
  const double lowest = -ranks.maximum({-*own}, nullptr, {})[0];
  if (found_ && !(lowest < found_->energy - tolerance(found_->energy))) return;
  constexpr Index beyond_all = Index{1} << 40;
  const ReplicaShare& share = ranks.share();
  const Index replica =
      ranks.minimum(*own == lowest ? share.first + (own - energies.begin()) : beyond_all);
  found_ = {lowest, temperature, replica};
  const bool is_own = replica >= share.first && replica < share.first + share.count;
  const io::DataArray state = ensemble.configuration(is_own ? replica - share.first : 0);
  const std::vector<std::byte> joined =
      ranks.joined(is_own ? bytes_of(state) : std::vector<std::byte>());
  if (ranks.is_root())
    results.write("lowest-state/configuration", array_of(joined, state, state.shape()));
}

void LowestState::write(Index replicas, const std::string& unit, ResultsGroup& results) const {
  const auto attribute = [&](const std::string& name, io::DataArray value) {
    results.set_attribute("lowest-state", name, std::move(value));
  };
  attribute("energy", found_->energy);
  attribute("energy_unit", unit);
  attribute("temperature", found_->temperature);
  attribute("replica", found_->replica);
  attribute("replicas", replicas);
}

void LowestState::save(StageMemory& memory) const {
  std::vector<double>& saved = memory.numbers["lowest"];
  if (found_) saved = {found_->energy, found_->temperature, static_cast<double>(found_->replica)};
}

void LowestState::load(const StageMemory& memory) {
  const std::vector<double>& saved = memory.number("lowest");
  found_.reset();
  if (!saved.empty()) found_ = {saved.at(0), saved.at(1), static_cast<Index>(saved.at(2))};
}

std::vector<std::byte> bytes_of(const io::DataArray& array) {
  std::vector<std::byte> bytes(array.bytes());
  std::visit([&](const auto& values) { std::memcpy(bytes.data(), values.data(), bytes.size()); },
             array.elements());
  return bytes;
}

io::DataArray array_of(const std::vector<std::byte>& bytes, const io::DataArray& like,
                       io::Shape shape) {
  return std::visit(
      [&](const auto& of_like) -> io::DataArray {
        using Number = typename std::remove_cvref_t<decltype(of_like)>::value_type;
        if constexpr (std::is_arithmetic_v<Number>) {
          std::vector<Number> values(bytes.size() / sizeof(Number));
          std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
          return {std::move(values), std::move(shape)};
        } else {
          throw InternalError("texts cannot be stored as bytes");
        }
      },
      like.elements());
}

}  // namespace larmor::study
