#pragma once
// Stores the state of the lowest energy that a stage has found, for ground states.

#include <cstddef>
#include <optional>
#include <vector>

#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

class LowestState {
 public:
  /// Writes lowest-state/configuration if a replica has a lower energy than any before. A
  /// collective operation.
  /// @param energies those of the present states, per site [the first replicas of this process]
  void record(const Simulation& simulation, const Ensemble& ensemble,
              std::span<const double> energies, double temperature, ResultsGroup& results);
  bool is_found() const { return found_.has_value(); }
  /// Is `energy` equal to the lowest energy, except for rounding?
  bool has(double energy) const;
  double energy() const { return found_->energy; }

  /// Writes the properties of the state as attributes.
  /// @param replicas number of replicas that have its energy at the end @param unit unit of
  /// energies
  void write(Index replicas, const std::string& unit, ResultsGroup& results) const;

  void save(StageMemory& memory) const;
  void load(const StageMemory& memory);

 private:
  struct Found {
    double energy;  ///< per site
    double temperature;
    Index replica;
  };
  std::optional<Found> found_;
};

/// Numbers of any type as bytes, for ranks and checkpoints.
std::vector<std::byte> bytes_of(const io::DataArray& array);

/// An array of the type of another one. @param bytes as many as the shape holds
io::DataArray array_of(const std::vector<std::byte>& bytes, const io::DataArray& like,
                       io::Shape shape);

}  // namespace larmor::study
