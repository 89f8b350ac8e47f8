#include "larmor/study/models/spins/tables/drive_tables.hpp"

namespace larmor::study {

FieldTable<PulseTable> PulseTable::fields() {
  FieldTable<PulseTable> table;
  table.required("B", &PulseTable::B, Dimension::magnetic_field,
                 "the field at full strength, f = 1");
  return add_envelope_fields(table);
}

FieldTable<TorqueTable> TorqueTable::fields() {
  FieldTable<TorqueTable> table;
  table
      .required("kind", &TorqueTable::kind, Dimension::none,
                "spin-transfer: torque of a current through a texture, - (u.grad) e + beta e x "
                "(u.grad) e; polarised: torque of polarised spins, - gamma [a e x (e x p) + c e x "
                "p] (Slonczewski, spin-orbit)")
      .one_of({"spin-transfer", "polarised"})
      .selects_keys()
      .optional("velocity", &TorqueTable::velocity, Dimension::velocity,
                "spin-transfer: drift velocity u of the magnetisation")
      .of_kinds({"spin-transfer"})
      .optional("beta", &TorqueTable::beta, Dimension::none,
                "spin-transfer: beta, the non-adiabaticity")
      .of_kinds({"spin-transfer"})
      .optional("polarisation", &TorqueTable::polarisation, Dimension::none,
                "polarised: direction p of the polarisation, a vector of any length except 0")
      .of_kinds({"polarised"})
      .optional("damping_like", &TorqueTable::damping_like, Dimension::magnetic_field,
                "polarised: strength a of the damping-like torque")
      .of_kinds({"polarised"})
      .optional("field_like", &TorqueTable::field_like, Dimension::magnetic_field,
                "polarised: strength c of the field-like torque")
      .of_kinds({"polarised"})
      .optional("asymmetry", &TorqueTable::asymmetry, Dimension::none,
                "polarised: replaces the strength a by a / (1 + asymmetry e.p)")
      .of_kinds({"polarised"})
      .at_least(-0.99)
      .at_most(0.99);
  return add_envelope_fields(table);
}

FieldTable<TemperaturePoint> TemperaturePoint::fields() {
  return FieldTable<TemperaturePoint>()
      .required("time", &TemperaturePoint::time, Dimension::time, "time since the stage's start")
      .at_least(0)
      .required("temperature", &TemperaturePoint::temperature, Dimension::temperature,
                "temperature of the heat bath at this time")
      .at_least(0);
}

}  // namespace larmor::study
