#pragma once
// Drives of moving spins: fields that change, torques, a heat bath.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// The strength of a drive as a function of time: f(t).
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
                "form of f(t). constant: 1 during `duration`, which begins at `start`; ramp: rises "
                "from 0 at start to 1 after duration; gaussian: exp(-(t - start)^2 / (2 width^2)); "
                "sine: sin(2 pi frequency (t - start)) during `duration`, which begins at `start`; "
                "sinc: sin(x) / x with x = 2 pi frequency (t - start)")
      .one_of({"constant", "ramp", "gaussian", "sine", "sinc"})
      .optional("start", &Envelope::start, Dimension::time,
                "time at which constant, ramp and sine begin, and the centre of gaussian and sinc. "
                "Times count from the start of the stage")
      .optional("duration", &Envelope::duration, Dimension::time,
                "constant, sine: length of the pulse, endless if left out. ramp: time until the "
                "full strength")
      .positive()
      .optional("width", &Envelope::width, Dimension::time, "standard deviation of gaussian")
      .positive()
      .optional("frequency", &Envelope::frequency, Dimension::frequency,
                "sine: cycles per unit of time; sinc: highest excited frequency")
      .positive();
}

/// A field that changes with time, B f(t), added to the fields of the Hamiltonian.
struct PulseTable : Envelope {
  static constexpr const char* name = "pulse";
  static constexpr const char* doc = "a uniform field that changes with time, B f(t)";
  Vec3<double> B{0, 0, 0};
  TablePosition where;

  static FieldTable<PulseTable> fields();
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

  static FieldTable<TorqueTable> fields();
};

/// A point of a temperature schedule.
struct TemperaturePoint {
  static constexpr const char* name = "temperature_schedule";
  double time = 0;
  double temperature = 0;
  TablePosition where;

  static FieldTable<TemperaturePoint> fields();
};

}  // namespace larmor::study
