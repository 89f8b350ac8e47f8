#pragma once
// The keys of the sampler and the measurements of Monte Carlo stages of vector spins.

#include "larmor/study/models/spins/measurements/spin_measurements.hpp"
#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::study {

/// Keys of the sampler of every Monte Carlo stage of spins.
struct SpinSamplerKeys {
  std::string sampler = "metropolis";
  std::string move = "adaptive-cone";
  double target_acceptance = 0.5;
  Index over_relaxation = 0;
  std::optional<Index> clusters;
  std::optional<Vec3<double>> added_field;

  bool updates_clusters() const { return sampler == "swendsen-wang" || sampler == "wolff"; }
};

/// Values of `sampler`, and the documentation of each.
std::vector<std::string> spin_sampler_names();
std::vector<std::string> spin_sampler_docs();

template <class Stage>
FieldTable<Stage>& add_spin_sampler_fields(FieldTable<Stage>& table) {
  return table
      .optional("sampler", &SpinSamplerKeys::sampler, Dimension::none, "method that updates a spin")
      .one_of(spin_sampler_names(), spin_sampler_docs())
      .optional("move", &SpinSamplerKeys::move, Dimension::none,
                "direction of a Metropolis trial: anywhere on the sphere, or in a cone around the "
                "spin. The first size of the cone is its final size in the stage before. The size "
                "is tuned only while nothing is averaged")
      .one_of({"adaptive-cone", "uniform"})
      .optional("target_acceptance", &SpinSamplerKeys::target_acceptance, Dimension::none,
                "acceptance to which the adaptive cone is tuned")
      .at_least(0.2)
      .at_most(0.9)
      .optional("over_relaxation", &SpinSamplerKeys::over_relaxation, Dimension::none,
                "number of over-relaxations of every spin after each sweep; each reflects the spin "
                "about its field")
      .at_least(0)
      .at_most(1000)
      .optional("clusters", &SpinSamplerKeys::clusters, Dimension::none,
                "wolff: number of clusters that grow in each replica in a sweep. The default is 1")
      .at_least(1)
      .at_most(1e6)
      .optional("added_field", &SpinSamplerKeys::added_field, Dimension::magnetic_field,
                "uniform field that is added to the fields of the Hamiltonian, only in this stage");
}

/// For the stages that are templates over model kinds.
struct SpinSampling {
  using SamplerKeys = SpinSamplerKeys;
  static constexpr Dimension field_dimension = Dimension::magnetic_field;
  static const MeasureList<MeasureContext>& measured() { return measured_by_sampling(); }
  static std::vector<Value> usual_measurements() { return {"energy", "magnetisation"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return add_spin_sampler_fields(table);
  }
  /// @param table table of a stage, with the positions of its keys
  /// @throws InputError for keys that do not belong to the sampler
  template <class Table>
  static std::unique_ptr<SamplerChoice> sampler(const Table& table, const ReadContext& context) {
    TablePosition where;
    if constexpr (requires { table.where; }) where = table.where;
    bool differs_in_field = false;
    if constexpr (requires { table.field; }) differs_in_field = table.field.has_value();
    return sampler_of(table, where, differs_in_field, context);
  }

 private:
  static std::unique_ptr<SamplerChoice> sampler_of(const SpinSamplerKeys& keys,
                                                   const TablePosition& where,
                                                   bool differs_in_field,
                                                   const ReadContext& context);
};

}  // namespace larmor::study
