#pragma once
// The tables of the stages on the energy landscape: minimise, hysteresis, minimum-energy-path.

#include "larmor/study/input/temperature.hpp"
#include "larmor/study/models/spins/tables/initial_table.hpp"

namespace larmor::study {

/// `lifetime = { temperature = [10, 20], damping = 0.1 }` of a minimum-energy path.
struct LifetimeTable {
  static constexpr const char* name = "lifetime";
  Value temperature;
  std::optional<double> damping;
  std::string zero_modes = "auto";
  double zero_threshold = 1e-4;
  Index equivalent_saddles = 1;
  TablePosition where;

  static FieldTable<LifetimeTable> fields();
};

/// Keys of a minimiser.
struct MinimiserKeys {
  /// Default tolerances as shares of the largest |dH/de|. A sweep of fields needs a finer one:
  /// shortly after a state becomes unstable, the torques that lead away from it are small.
  static constexpr double minimise_share = 1e-8, hysteresis_share = 1e-10;

  std::string method = "lbfgs";
  std::optional<double> tolerance;
  Index steps = 10000;
  double max_rotation = 0.3;
};

template <class Stage>
FieldTable<Stage>& add_minimiser_fields(FieldTable<Stage>& table, const std::string& share,
                                        const std::string& steps_doc) {
  return table
      .optional("method", &MinimiserKeys::method, Dimension::none,
                "lbfgs: quasi-Newton; cg: conjugate gradients; damped: overdamped dynamics, which "
                "is slow and follows the steepest descent")
      .one_of({"lbfgs", "cg", "damped"})
      .optional("tolerance", &MinimiserKeys::tolerance, Dimension::energy,
                "a state has converged if no torque |e x dH/de| is larger. The default is " +
                    share + " times the largest |dH/de| that the couplings allow")
      .positive()
      .optional("steps", &MinimiserKeys::steps, Dimension::none, steps_doc)
      .at_least(1)
      .at_most(most_steps)
      .optional("max_rotation", &MinimiserKeys::max_rotation, Dimension::angle,
                "largest rotation of a spin in a step")
      .positive();
}

/// `field = { from = 2, to = -2, points = 81 }`
struct FieldRange {
  static constexpr const char* name = "field";
  double from = 0;
  double to = 0;
  std::optional<Index> points;
  std::optional<double> step;
  TablePosition where;

  static FieldTable<FieldRange> fields();
  /// All fields, including `from` and `to`.
  /// @throws InputError unless there is exactly one of points and step, or for too many fields
  std::vector<double> fields_in_order() const;
};

struct HysteresisTable : MinimiserKeys {
  static constexpr const char* name = "hysteresis";
  static constexpr const char* doc =
      "sweep a uniform field, and minimise the energy at every point from the spins at the point "
      "before";
  HysteresisTable() { max_rotation = 0.1; }
  std::string kind = name;
  Vec3<double> direction{0, 0, 1};
  Value field;
  bool loop = false;
  double perturbation = 1e-4;
  bool trajectory = false;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<HysteresisTable> fields();
};

/// A state that a key of a stage gives, with the keys of [initial].
template <const char* Key>
struct NamedState : InitialTable {
  static constexpr const char* name = Key;
  NamedState() { state = "aligned"; }
  static FieldTable<NamedState> fields() {
    FieldTable<NamedState> table;
    return add_initial_fields(table, false);
  }
};

inline constexpr char final_key[] = "final", through_key[] = "through",
                      ground_state_key[] = "ground_state";

struct MinimumEnergyPathTable {
  static constexpr const char* name = "minimum-energy-path";
  static constexpr const char* doc =
      "the path of least energy from the present spins to a final state, and its barrier";
  std::string kind = name;
  NamedState<final_key> final_state;
  std::vector<NamedState<through_key>> through;
  Index images = 15;
  std::optional<Index> first_images;
  std::optional<double> max_distance;
  std::optional<Index> max_images;
  bool relax = true;
  bool climb = true;
  std::string method = "lbfgs";
  double spring_ratio = 1;
  std::optional<Vec3<double>> axis;
  double perturbation = 0.01;
  std::optional<double> tolerance;
  Index steps = 20000;
  double max_rotation = 0.1;
  Index interpolation = 10;
  Index measure_every = 10;
  std::optional<LifetimeTable> lifetime;
  TablePosition where;

  static FieldTable<MinimumEnergyPathTable> fields();
};

}  // namespace larmor::study
