#include "larmor/study/models/spins/stages/drive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/input/lacking_key.hpp"

namespace larmor::study {
namespace {

/// The optional keys that a shape needs, and those that it may have.
struct ShapeKeys {
  const char* shape;
  bool needs_duration, may_have_duration, width, frequency;
};
constexpr ShapeKeys shape_keys[] = {{"constant", false, true, false, false},
                                    {"ramp", true, true, false, false},
                                    {"gaussian", false, false, true, false},
                                    {"sine", false, true, false, true},
                                    {"sinc", false, false, false, true}};

/// @param subject with its article, for messages
void check_envelope(const Envelope& pulse, const std::string& subject, const TablePosition& where) {
  const auto keys = *std::find_if(std::begin(shape_keys), std::end(shape_keys),
                                  [&](const ShapeKeys& k) { return pulse.shape == k.shape; });
  const auto check = [&](bool given, bool needed, bool allowed, const std::string& key) {
    if (needed && !given)
      throw LackingKey(key, InputError(subject + " of shape " + pulse.shape + " lacks its " + key,
                                       where, "give " + key + " = ..."));
    if (given && !allowed)
      throw InputError(subject + " of shape " + pulse.shape + " has no " + key, where.of(key),
                       "remove this key, or choose another shape");
  };
  check(pulse.duration.has_value(), keys.needs_duration, keys.may_have_duration, "duration");
  check(pulse.width.has_value(), keys.width, keys.width, "width");
  check(pulse.frequency.has_value(), keys.frequency, keys.frequency, "frequency");
}

/// Times with a smaller difference, as a share of a step, are equal up to rounding.
constexpr double same_time = 1e-6;

/// The strength f(t) of a drive. The two sides of an edge have different values.
double strength(const Envelope& pulse, double time, Side side, double timestep) {
  const double t = time - pulse.start;
  if (pulse.shape == "gaussian") return std::exp(-0.5 * t * t / (*pulse.width * *pulse.width));
  if (pulse.shape == "sinc") {
    const double x = 2 * std::numbers::pi * *pulse.frequency * t;
    return x == 0 ? 1.0 : std::sin(x) / x;
  }
  const auto is_past = [&](double edge) {
    return std::abs(t - edge) <= same_time * timestep ? side == Side::after : t > edge;
  };
  if (!is_past(0)) return 0;
  if (pulse.shape == "ramp") return std::clamp(t / *pulse.duration, 0.0, 1.0);
  if (pulse.duration && is_past(*pulse.duration)) return 0;
  return pulse.shape == "sine" ? std::sin(2 * std::numbers::pi * *pulse.frequency * t) : 1.0;
}

void check_torque(const TorqueTable& torque) {
  check_envelope(torque, "a torque", torque.where);
  const Vec3<double> zero{0, 0, 0};
  const bool drifts = !(torque.velocity == zero);
  const bool polarised = !(torque.polarisation == zero);
  const bool spin_transfer = torque.kind == "spin-transfer";
  if (spin_transfer ? !drifts : !polarised)
    throw LackingKey(
        spin_transfer ? "velocity" : "polarisation",
        InputError("the " + torque.kind + " torque lacks its " +
                       (spin_transfer ? "velocity" : "polarisation"),
                   torque.where,
                   spin_transfer ? "give velocity = [..]" : "give polarisation = [0, 1, 0]"));
  if (spin_transfer && (polarised || torque.damping_like != 0 || torque.field_like != 0))
    throw InputError("a spin-transfer torque has no polarisation, damping_like or field_like",
                     torque.where.of({"polarisation", "damping_like", "field_like"}),
                     "remove these keys, or give a second torque of kind polarised");
  if (!spin_transfer && (drifts || torque.beta != 0))
    throw InputError("a polarised torque has no velocity or beta",
                     torque.where.of({"velocity", "beta"}),
                     "remove these keys, or give a second torque of kind spin-transfer");
}

void check_schedule(const DynamicsTable& table) {
  const auto& points = table.temperature_schedule;
  if (points.empty()) return;
  if (table.temperature != 0)
    throw InputError("dynamics has both temperature and temperature_schedule",
                     table.where.of("temperature"),
                     "remove temperature: the schedule gives it for all times");
  for (std::size_t n = 1; n < points.size(); ++n)
    if (points[n].time <= points[n - 1].time)
      throw InputError("the times of temperature_schedule do not rise", points[n].where,
                       "write the points in the order of their times");
}

}  // namespace

DriveSchedule::DriveSchedule(const DynamicsTable& table, const ReadContext& context)
    : table_(table), context_(context) {
  for (const PulseTable& pulse : table.pulse) check_envelope(pulse, "a pulse", pulse.where);
  for (std::size_t n = 0; n < table.torque.size(); ++n) {
    check_torque(table.torque[n]);
    for (std::size_t m = 0; m < n; ++m)
      if (table.torque[m].kind == table.torque[n].kind)
        throw InputError("there are two torques of kind " + table.torque[n].kind,
                         table.torque[n].where, "keep one of the two torques");
  }
  check_schedule(table);
}

bool DriveSchedule::heated() const {
  return table_.temperature > 0 ||
         std::any_of(table_.temperature_schedule.begin(), table_.temperature_schedule.end(),
                     [](const TemperaturePoint& p) { return p.temperature > 0; });
}

Vec3<double> DriveSchedule::field(double time) const { return field(time, Side::after); }

Vec3<double> DriveSchedule::field(double time, Side side) const {
  Vec3<double> B{0, 0, 0};
  for (const PulseTable& pulse : table_.pulse)
    B += strength(pulse, time, side, table_.timestep) * pulse.B;
  return B;
}

double DriveSchedule::temperature(double time) const {
  const auto& points = table_.temperature_schedule;
  if (points.empty()) return table_.temperature;
  const auto after = std::find_if(points.begin(), points.end(),
                                  [&](const TemperaturePoint& p) { return p.time >= time; });
  if (after == points.begin()) return points.front().temperature;
  if (after == points.end()) return points.back().temperature;
  const auto before = after - 1;
  const double part = (time - before->time) / (after->time - before->time);
  return before->temperature + part * (after->temperature - before->temperature);
}

spins::Drive DriveSchedule::at(double time, Side side) const {
  spins::Drive drive;
  drive.field = context_.constants.mu_B * field(time, side);
  for (const TorqueTable& torque : table_.torque)
    (torque.kind == "spin-transfer" ? drive.drift : drive.polarised) =
        strength(torque, time, side, table_.timestep);
  return drive;
}

bool DriveSchedule::constant() const {
  const bool steady = std::all_of(
      table_.torque.begin(), table_.torque.end(),
      [](const TorqueTable& t) { return t.shape == "constant" && t.start <= 0 && !t.duration; });
  return steady && table_.pulse.empty() && table_.temperature_schedule.empty();
}

std::vector<spins::StepDrive> DriveSchedule::steps(Index first, Index count) const {
  std::vector<spins::StepDrive> drive;
  for (Index step = first; step < first + count; ++step) {
    const double time = static_cast<double>(step) * table_.timestep;
    const double half = 0.5 * table_.timestep;
    spins::StepDrive one;
    // If a step ends at an edge, it uses the value before the edge. Otherwise the scheme would lose
    // its order of convergence.
    one.begin = at(time, Side::after);
    one.middle = at(time + half, Side::after);
    one.end = at(time + 2 * half, Side::before);
    one.noise = std::sqrt(context_.constants.k_B * temperature(time + half));
    drive.push_back(one);
  }
  return drive;
}

}  // namespace larmor::study
