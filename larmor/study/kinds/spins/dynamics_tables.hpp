#pragma once
// The tables of a dynamics stage.

#include "larmor/study/input/stage_tables.hpp"
#include "larmor/study/kinds/spins/pair_correlations_table.hpp"
#include "larmor/study/kinds/spins/wave_vectors.hpp"

namespace larmor::study {

/// One entry of `measure` of a dynamics stage.
struct MeasurementTable : WaveVectorKeys {
  static constexpr const char* name = "measure";
  std::string what;
  Index every = 10;
  std::string method = "auto";
  std::string precision = "double";
  bool components = false;
  /// Of error_blocks where it is left out and there are enough replicas.
  static constexpr Index usual_error_blocks = 8;
  std::optional<Index> error_blocks;
  std::vector<DistanceTable> distance;
  Value displacement{false};
  Value groups{"none"};
  std::string window = "hann";
  std::optional<double> window_width;
  std::string origins = "auto";
  std::optional<double> max_frequency;
  bool connected = true;
  bool detailed_balance = false;
  std::optional<double> temperature;
  Index replicas = 1;
  TablePosition where;

  static FieldTable<MeasurementTable> fields() {
    FieldTable<MeasurementTable> table;
    table
        .required(
            "what", &MeasurementTable::what, Dimension::none,
            "what is measured; autocorrelation: (1/N) sum_i e_i(0).e_i(t) with the stage's first "
            "configuration")
        .one_of({"energy", "magnetisation", "energy-terms", "sublattices", "topological-charge",
                 "spin-temperature", "spin-currents", "autocorrelation", "site-energy",
                 "site-spins", "structure-factor", "pair-correlations", "trajectory"})
        .tells_kind()
        .optional("every", &MeasurementTable::every, Dimension::none, "steps between measurements")
        .at_least(1);
    return add_wave_vector_fields(table, "structure-factor: ", {"structure-factor"})
        .optional(
            "method", &MeasurementTable::method, Dimension::none,
            "structure-factor: sum with factorised phases, FFT on lattices, or the product over "
            "all pairs of sites")
        .one_of({"auto", "factorised", "fft", "real-space"})
        .of_kinds({"structure-factor"})
        .optional(
            "precision", &MeasurementTable::precision, Dimension::none,
            "structure-factor in real space and pair-correlations, on a GPU: double, or numbers "
            "split into two halves of 11 bits (relative error 1e-6)")
        .one_of({"double", "tf32x3", "half-split"})
        .of_kinds({"structure-factor", "pair-correlations"})
        .optional("components", &MeasurementTable::components, Dimension::none,
                  "structure-factor in real space: those of spin too, each a sum over tiles of its "
                  "own; the other methods always give them")
        .of_kinds({"structure-factor"})
        .optional(
            "error_blocks", &MeasurementTable::error_blocks, Dimension::none,
            "structure-factor in real space and pair-correlations: blocks of replicas, left out in "
            "turn for the errors, each a sum over tiles of its own, which takes three times as "
            "long; 8, if there are replicas enough, where it is left out; 0 or 1: no errors; the "
            "other methods of structure-factor always give them")
        .at_least(0)
        .at_most(1000)
        .of_kinds({"structure-factor", "pair-correlations"})
        .optional("distance", &MeasurementTable::distance, Dimension::none,
                  "pair-correlations: mean of C(r,r',t) by distance: one table { width, bins }")
        .of_kinds({"pair-correlations"})
        .optional("displacement", &MeasurementTable::displacement, Dimension::none,
                  "pair-correlations: mean by displacement r' - r in cells and atoms of the basis, "
                  "from r at the stage's beginning to r' at time t: true for all, or { cells = [4, "
                  "4, 0] } for so many cells to both sides")
        .of_kinds({"pair-correlations"})
        .may_be<DisplacementTable>()
        .optional(
            "groups", &MeasurementTable::groups, Dimension::none,
            "pair-correlations: mean between groups of sites: none, species, basis, or a list "
            "of { name = \"core\", sites = [0, 5] }, counted from 0; others are left out")
        .of_kinds({"pair-correlations"})
        .may_be<SiteGroupTable>()
        .optional("window", &MeasurementTable::window, Dimension::none,
                  "structure-factor, pair-correlations: weight of the time lags, 1 at none and "
                  "least at the longest")
        .one_of({"none", "hann", "hamming", "gaussian", "blackman"})
        .of_kinds({"structure-factor", "pair-correlations"})
        .optional("window_width", &MeasurementTable::window_width, Dimension::none,
                  "standard deviation of window = \"gaussian\" as a share of the longest lag; 0.4 "
                  "if left out")
        .positive()
        .of_kinds({"structure-factor", "pair-correlations"})
        .optional("origins", &MeasurementTable::origins, Dimension::none,
                  "structure-factor: times that later ones are correlated with: the first alone, "
                  "every one, or (auto) every one where what is kept for them is below 256 MiB, "
                  "else up to 16, evenly spaced")
        .one_of({"auto", "fixed", "all"})
        .of_kinds({"structure-factor"})
        .optional(
            "max_frequency", &MeasurementTable::max_frequency, Dimension::energy,
            "structure-factor: hbar times the largest angular frequency that results hold; "
            "left out with origins = \"auto\": 2.1 times the fastest precession in the largest "
            "field that the model allows, just above the band of a ferromagnet and at twice that "
            "of an antiferromagnet; with other origins: all")
        .positive()
        .of_kinds({"structure-factor"})
        .optional("connected", &MeasurementTable::connected, Dimension::none,
                  "structure-factor, pair-correlations: subtract the product of the averages over "
                  "replicas")
        .of_kinds({"structure-factor", "pair-correlations"})
        .optional("detailed_balance", &MeasurementTable::detailed_balance, Dimension::none,
                  "structure-factor: multiply S(q,w) by beta hbar w / (1 - exp(-beta hbar w)), of "
                  "the harmonic quantum system")
        .of_kinds({"structure-factor"})
        .optional("temperature", &MeasurementTable::temperature, Dimension::temperature,
                  "structure-factor with detailed balance: of beta; that of the heat bath if left "
                  "out")
        .positive()
        .of_kinds({"structure-factor"})
        .optional("replicas", &MeasurementTable::replicas, Dimension::none,
                  "trajectory: replicas stored")
        .at_least(1)
        .of_kinds({"trajectory"});
  }
};

/// How strength varies with time: f(t).
struct Envelope {
  std::string shape = "constant";
  double start = 0;
  std::optional<double> duration;
  std::optional<double> width;
  std::optional<double> frequency;
};

template <class Table>
FieldTable<Table>& add_envelope_fields(FieldTable<Table>& table) {
  return table
      .optional("shape", &Envelope::shape, Dimension::none,
                "constant: f = 1 from start on, for duration; ramp: from 0 at start to 1 after "
                "duration; gaussian: exp(-(t - start)^2 / (2 width^2)); sine: sin(2 pi frequency "
                "(t - start)) from start on, for duration; sinc: sin(x) / x with x = 2 pi "
                "frequency (t - start)")
      .one_of({"constant", "ramp", "gaussian", "sine", "sinc"})
      .optional("start", &Envelope::start, Dimension::time,
                "when it begins; centre of gaussian and sinc; times count from the stage's start")
      .optional("duration", &Envelope::duration, Dimension::time,
                "constant, sine: how long; without end if left out. ramp: until it is full")
      .positive()
      .optional("width", &Envelope::width, Dimension::time, "standard deviation of gaussian")
      .positive()
      .optional("frequency", &Envelope::frequency, Dimension::frequency,
                "sine: cycles a unit of time; sinc: everything up to it is excited")
      .positive();
}

/// A field that changes with time, B f(t), on top of the fields of the Hamiltonian.
struct PulseTable : Envelope {
  static constexpr const char* name = "pulse";
  static constexpr const char* doc = "a uniform field that changes with time, B f(t)";
  Vec3<double> B{0, 0, 0};
  TablePosition where;

  static FieldTable<PulseTable> fields() {
    FieldTable<PulseTable> table;
    table.required("B", &PulseTable::B, Dimension::magnetic_field, "the field where f = 1");
    return add_envelope_fields(table);
  }
};

/// A torque of a current, times f(t).
struct TorqueTable : Envelope {
  static constexpr const char* name = "torque";
  std::string kind;
  Vec3<double> velocity{0, 0, 0};
  double beta = 0;
  Vec3<double> polarisation{0, 0, 0};
  double damping_like = 0;
  double field_like = 0;
  double asymmetry = 0;
  TablePosition where;

  static FieldTable<TorqueTable> fields() {
    FieldTable<TorqueTable> table;
    table
        .required("kind", &TorqueTable::kind, Dimension::none,
                  "spin-transfer: of a current through a texture, - (u.grad) e + beta e x (u.grad) "
                  "e; polarised: of polarised spins, - gamma [a e x (e x p) + c e x p] "
                  "(Slonczewski, spin-orbit)")
        .one_of({"spin-transfer", "polarised"})
        .tells_kind()
        .optional("velocity", &TorqueTable::velocity, Dimension::velocity,
                  "spin-transfer: drift velocity u of the magnetisation")
        .of_kinds({"spin-transfer"})
        .optional("beta", &TorqueTable::beta, Dimension::none, "spin-transfer: non-adiabaticity")
        .of_kinds({"spin-transfer"})
        .optional("polarisation", &TorqueTable::polarisation, Dimension::none,
                  "polarised: direction p; normalised")
        .of_kinds({"polarised"})
        .optional("damping_like", &TorqueTable::damping_like, Dimension::magnetic_field,
                  "polarised: a")
        .of_kinds({"polarised"})
        .optional("field_like", &TorqueTable::field_like, Dimension::magnetic_field, "polarised: c")
        .of_kinds({"polarised"})
        .optional("asymmetry", &TorqueTable::asymmetry, Dimension::none,
                  "polarised: a becomes a / (1 + asymmetry e.p)")
        .of_kinds({"polarised"})
        .at_least(-0.99)
        .at_most(0.99);
    return add_envelope_fields(table);
  }
};

/// A point of a temperature schedule.
struct TemperaturePoint {
  static constexpr const char* name = "temperature_schedule";
  double time = 0;
  double temperature = 0;
  TablePosition where;

  static FieldTable<TemperaturePoint> fields() {
    return FieldTable<TemperaturePoint>()
        .required("time", &TemperaturePoint::time, Dimension::time, "since the stage's start")
        .at_least(0)
        .required("temperature", &TemperaturePoint::temperature, Dimension::temperature,
                  "of the heat bath then")
        .at_least(0);
  }
};

struct DynamicsTable {
  static constexpr const char* name = "dynamics";
  static constexpr const char* doc =
      "integrate the Landau-Lifshitz-Gilbert equation, with a heat bath or without";
  std::string kind = name;
  std::string integrator = "auto";
  double timestep = 0;
  Index steps = 0;
  std::vector<double> damping{0};
  double temperature = 0;
  std::vector<TemperaturePoint> temperature_schedule;
  std::vector<PulseTable> pulse;
  std::vector<TorqueTable> torque;
  std::vector<MeasurementTable> measure;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<DynamicsTable> fields() {
    return FieldTable<DynamicsTable>()
        .required("kind", &DynamicsTable::kind, Dimension::none, "what the stage does")
        .one_of({name})
        .optional("integrator", &DynamicsTable::integrator, Dimension::none,
                  "auto: rk4 without heat bath, depondt with; depondt and semi-implicit turn spins "
                  "exactly; heun; midpoint: implicit, keeps quadratic energies; rk4: fourth order, "
                  "no heat bath")
        .one_of({"auto", "rk4", "depondt", "heun", "semi-implicit", "midpoint"})
        .required("timestep", &DynamicsTable::timestep, Dimension::time, "length of a step")
        .positive()
        .required("steps", &DynamicsTable::steps, Dimension::none, "number of steps")
        .at_least(1)
        .at_most(most_steps)
        .optional("damping", &DynamicsTable::damping, Dimension::none,
                  "Gilbert damping alpha; one for all basis atoms, or one for each")
        .at_least(0)
        .not_empty()
        .optional("temperature", &DynamicsTable::temperature, Dimension::temperature,
                  "of the heat bath; 0: none")
        .at_least(0)
        .optional("temperature_schedule", &DynamicsTable::temperature_schedule, Dimension::none,
                  "instead of temperature: points { time, temperature }, joined by straight lines")
        .optional("pulse", &DynamicsTable::pulse, Dimension::none,
                  "fields that change with time; they add up")
        .optional("torque", &DynamicsTable::torque, Dimension::none,
                  "torques of currents, at most one of each kind")
        .optional("measure", &DynamicsTable::measure, Dimension::none,
                  "what is measured; energy and magnetisation every 10 steps if left out")
        .optional("keep_configurations", &DynamicsTable::keep_configurations, Dimension::none,
                  "replicas whose final configuration is stored")
        .at_least(0);
  }
};

}  // namespace larmor::study
