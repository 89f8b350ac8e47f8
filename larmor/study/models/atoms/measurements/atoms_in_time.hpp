#pragma once
// Measures displacements of atoms in time, the decay of their velocities, and the spectrum of
// vibrations.

#include "larmor/atoms/observables/mean_squared_displacement.hpp"
#include "larmor/atoms/observables/velocity_autocorrelation.hpp"
#include "larmor/study/models/atoms/measurements/blocked_measurement.hpp"

namespace larmor::study {

struct LaggedKeys : BlockedKeys {
  std::optional<double> max_time;
  Index origin_every = 1;
};

/// A measurement by time lags, from many time origins in a block.
class LaggedMeasurement : public BlockedMeasurement {
 public:
  StageBytes forecast(const Sizing& sizing) const override;

 protected:
  /// @throws InputError for a time longer than a block
  LaggedMeasurement(const std::string& name, Value completed, const LaggedKeys& keys,
                    const MdContext& course);

  /// The time lags: 0, 1, .. times the interval, up to max_time or half of a block.
  atoms::LagSettings lags() const { return lags_; }
  /// Writes GROUP/{time, species}, and GROUP/{value, error} [species, time].
  void write_by_species(const atoms::BlockedMeans& means, const AtomSystem& system,
                        const std::string& unit, ResultsGroup& results) const;

 private:
  atoms::LagSettings lags_;
};

struct MeanSquaredDisplacementTable : LaggedKeys {
  bool remove_centre_of_mass = true;

  static FieldTable<MeanSquaredDisplacementTable> fields();
};

class MeanSquaredDisplacement : public LaggedMeasurement {
 public:
  using Table = MeanSquaredDisplacementTable;
  static constexpr const char* name = "mean-squared-displacement";
  static constexpr const char* doc = "<|r(t) - r(0)|^2> of the atoms of each species";

  MeanSquaredDisplacement(const Table& table, const MdContext& course);

  void prepare(const Simulation& simulation) override;

 protected:
  void add(const atoms::AtomState& state) override { msd_->add(state); }
  const atoms::BlockedMeans& means() const override { return msd_->means(); }
  std::vector<double> save_numbers() const override { return msd_->save(); }
  void load_numbers(std::span<const double> numbers) override { msd_->load(numbers); }
  void write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                   ResultsGroup& results) const override;

 private:
  Table table_;
  std::unique_ptr<atoms::MeanSquaredDisplacement> msd_;
};

/// Base of velocity-autocorrelation and phonon-density-of-states.
class VelocityMeasurement : public LaggedMeasurement {
 public:
  void prepare(const Simulation& simulation) override;

 protected:
  VelocityMeasurement(const std::string& name, Value completed, const LaggedKeys& keys,
                      const MdContext& course, atoms::VelocityWeight weight)
      : LaggedMeasurement(name, std::move(completed), keys, course), weight_(weight) {}

  void add(const atoms::AtomState& state) override { velocities_->add(state); }
  const atoms::BlockedMeans& means() const override { return velocities_->means(); }
  std::vector<double> save_numbers() const override { return velocities_->save(); }
  void load_numbers(std::span<const double> numbers) override { velocities_->load(numbers); }

 private:
  atoms::VelocityWeight weight_;
  std::unique_ptr<atoms::VelocityAutocorrelation> velocities_;
};

struct VelocityAutocorrelationTable : LaggedKeys {
  std::string weight = "none";

  static FieldTable<VelocityAutocorrelationTable> fields();
};

class VelocityAutocorrelation : public VelocityMeasurement {
 public:
  using Table = VelocityAutocorrelationTable;
  static constexpr const char* name = "velocity-autocorrelation";
  static constexpr const char* doc = "<v(0).v(t)> of the atoms of each species";

  VelocityAutocorrelation(const Table& table, const MdContext& course);

 protected:
  void write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                   ResultsGroup& results) const override;

 private:
  Table table_;
};

struct PhononDensityTable : LaggedKeys {
  std::string window = "hann";

  static FieldTable<PhononDensityTable> fields();
};

class PhononDensity : public VelocityMeasurement {
 public:
  using Table = PhononDensityTable;
  static constexpr const char* name = "phonon-density-of-states";
  static constexpr const char* doc =
      "the density of states of vibrations, from the velocities; its integral for N atoms is 3N - "
      "3";

  PhononDensity(const Table& table, const MdContext& course);

 protected:
  void write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                   ResultsGroup& results) const override;

 private:
  Table table_;
};

}  // namespace larmor::study
