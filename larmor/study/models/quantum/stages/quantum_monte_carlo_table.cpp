#include "larmor/study/models/quantum/stages/quantum_monte_carlo_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "larmor/core/error.hpp"
#include "larmor/study/models/quantum/stages/world_lines.hpp"

namespace larmor::study {
namespace {

constexpr double most_slices = 1 << 20;

void check_time(const QuantumMonteCarloTable& table) {
  if (table.slices.empty() != table.continuous)
    throw InputError(table.continuous ? "the stage has both slices and continuous = true"
                                      : "the stage has neither slices nor continuous = true",
                     table.where.of("slices"),
                     "give slices = [8, 16, 32] for an extrapolation, or continuous = true");
  std::set<Index> known;
  for (const Index slices : table.slices) {
    if (slices < 2 || slices % 2 != 0 || static_cast<double>(slices) > most_slices)
      throw InputError(
          fmt::format("slices = {} is not an even number from 2 to {:.0f}", slices, most_slices),
          table.where.of("slices"), "give even numbers, such as slices = [8, 16, 32]");
    if (!known.insert(slices).second)
      throw InputError(fmt::format("slices has {} twice", slices), table.where.of("slices"),
                       "give different numbers of slices");
  }
  if (table.continuous && table.updates && *table.updates != "lines")
    throw InputError("updates = \"" + *table.updates + "\" needs slices of imaginary time",
                     table.where.of("updates"),
                     "give updates = \"lines\", or slices in place of continuous = true");
}

void check_imaginary_times(const QuantumMonteCarloTable& table) {
  const Index step = WorldLineNumbers{0, table.imaginary_times}.slices_of_times();
  for (const Index slices : table.slices)
    if (table.imaginary_times > 0 && slices % step != 0)
      throw InputError(fmt::format("{} imaginary times do not fall on slices of {}",
                                   table.imaginary_times, slices),
                       table.where.of("imaginary_times"),
                       "give K times so that each number of slices is a multiple of 2 (K - 1)");
  if (!table.gap_from && table.gap_correlation)
    throw InputError("the stage has gap_correlation, but no gap_from",
                     table.where.of("gap_correlation"),
                     "give gap_from = 0.3, or leave out gap_correlation");
  if (!table.gap_from) return;
  const std::vector<double> fractions = WorldLineNumbers{0, table.imaginary_times}.fractions();
  if (std::ranges::count_if(fractions, [&](double f) { return f >= *table.gap_from; }) < 3)
    throw InputError("fewer than three imaginary times lie at gap_from or later",
                     table.where.of("gap_from"), "give more imaginary_times or a lower gap_from");
}

}  // namespace

FieldTable<QuantumMonteCarloTable> QuantumMonteCarloTable::fields() {
  using Table = QuantumMonteCarloTable;
  FieldTable<Table> table;
  table.required("kind", &Table::kind, Dimension::none, "kind of the stage: the name of this table")
      .one_of({name});
  table
      .required("temperature", &Table::temperature, Dimension::temperature,
                "a temperature, a list of them, or { from, to, factor | step | points }")
      .with_child<TemperatureRange>();
  table
      .optional("Gamma", &Table::Gamma, Dimension::energy,
                "transverse fields of all sites at one temperature, in place of the field of the "
                "study. Averages and exchanges are then those of the fields")
      .at_least(0)
      .not_empty();
  table.optional("slices", &Table::slices, Dimension::none,
                 "even number of slices of imaginary time, or a list: averages of several numbers "
                 "are extrapolated to infinitely many");
  table.optional("continuous", &Table::continuous, Dimension::none,
                 "continuous imaginary time in place of slices: no error of the time step");
  table
      .optional("updates", &Table::updates, Dimension::none,
                "rule of the updates. The default is lines")
      .one_of({"metropolis", "heat-bath", "lines", "clusters"},
              {"single spins by the rule of Metropolis", "single spins by heat bath",
               "pieces of world lines, for any couplings",
               "clusters of space and time, for couplings without frustration"});
  return table
      .optional("thermalisation", &Table::thermalisation, Dimension::none,
                "sweeps before measuring, for each number of slices")
      .at_least(0)
      .at_most(most_steps)
      .optional("sweeps", &Table::sweeps, Dimension::none,
                "sweeps while measuring, for each number of slices")
      .at_least(1)
      .at_most(most_steps)
      .optional("measure_every", &Table::measure_every, Dimension::none,
                "number of sweeps between measurements. The default is 10 for single spins, and 1 "
                "for lines and clusters")
      .at_least(1)
      .optional("tempering", &Table::tempering, Dimension::none,
                "exchange replicas between neighbouring temperatures (parallel tempering)")
      .optional("exchange_every", &Table::exchange_every, Dimension::none,
                "sweeps between exchanges of every second pair of neighbouring temperatures")
      .at_least(1)
      .at_most(1e6)
      .optional("correlations", &Table::correlations, Dimension::none,
                "also averages of sz sz of all pairs")
      .optional("imaginary_times", &Table::imaginary_times, Dimension::none,
                "times from 0 to beta / 2 at which correlations of sz are computed; 0: none")
      .at_least(0)
      .at_most(1000)
      .optional("gap_from", &Table::gap_from, Dimension::none,
                "tau / beta from which the decay of a correlation is fitted to give the gap")
      .at_least(0)
      .at_most(0.5)
      .optional("gap_correlation", &Table::gap_correlation, Dimension::none,
                "the correlation whose decay gives the gap. The default is total")
      .one_of({"total", "local"},
              {"time_correlation, which has the least contribution of higher levels if couplings "
               "are ferromagnetic and equal",
               "local_time_correlation, for couplings of random sign"})
      .optional("overlap", &Table::overlap, Dimension::none,
                "also moments of the overlap of two copies of a sample")
      .optional("extrapolation_power", &Table::extrapolation_power, Dimension::none,
                "highest power of the time step in the extrapolation, 2 or 4")
      .at_least(2)
      .at_most(4);
}

void check_quantum_monte_carlo(const QuantumMonteCarloTable& table, Index rungs) {
  check_time(table);
  check_imaginary_times(table);
  if (*table.measure_every > table.sweeps)
    throw InputError(fmt::format("measure_every = {} is more than sweeps = {}",
                                 *table.measure_every, table.sweeps),
                     table.where.of("measure_every"), "measure more often, or give more sweeps");
  if (table.tempering && rungs < 2)
    throw InputError("tempering = true needs several temperatures", table.where.of("tempering"),
                     "give a list or a range of temperatures, or a list of Gamma");
  if (table.extrapolation_power % 2 != 0)
    throw InputError("extrapolation_power = 3 is not a power of the fit",
                     table.where.of("extrapolation_power"), "give 2 or 4");
  if (table.slices.size() > 1 && std::ssize(table.slices) < table.extrapolation_power / 2 + 1)
    throw InputError("an extrapolation with the fourth power of the time step needs three values",
                     table.where.of("extrapolation_power"), "give three or more numbers of slices");
}

}  // namespace larmor::study
