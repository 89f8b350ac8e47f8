#pragma once
// Parallel tempering of atoms: the keys of the dynamics between exchanges, and the measurements.
//
// Replicas exchange temperatures by their potential energies, in boxes of one constant volume. The
// velocities of a replica are multiplied by sqrt(T_new / T_old), so that they have the distribution
// of its new temperature: Y. Sugita, Y. Okamoto, Chem. Phys. Lett. 314, 141 (1999).

#include "larmor/core/input/fields.hpp"
#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

struct AtomSamplerKeys {
  double timestep = 0;
  std::string thermostat = "langevin";
  double thermostat_time = 0.1;
};

/// For the stage of parallel tempering, which is a template over model kinds.
struct AtomSampling {
  using SamplerKeys = AtomSamplerKeys;
  static constexpr const char* sweep_name = "steps";
  static constexpr Index usual_exchange_every = 100;
  static const MeasureList<MeasureContext>& measured();
  static std::vector<Value> usual_measurements() { return {"thermodynamics"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return table
        .required("timestep", &AtomSamplerKeys::timestep, Dimension::time, "length of a step")
        .positive()
        .optional("thermostat", &AtomSamplerKeys::thermostat, Dimension::none,
                  "thermostat, which keeps the temperature of each replica")
        .one_of({"langevin", "bussi"},
                {"Langevin dynamics; the friction coefficient is one over thermostat_time",
                 "velocity rescaling with a random number (Bussi, Donadio, Parrinello)"})
        .optional("thermostat_time", &AtomSamplerKeys::thermostat_time, Dimension::time,
                  "relaxation time of the thermostat")
        .positive();
  }
  template <class Table>
  static std::unique_ptr<SamplerChoice> sampler(const Table& table, const ReadContext& context) {
    return sampler_of(table, table.where, context);
  }

 private:
  static std::unique_ptr<SamplerChoice> sampler_of(const AtomSamplerKeys& keys,
                                                   const TablePosition& where,
                                                   const ReadContext& context);
};

}  // namespace larmor::study
