#pragma once
// Constant temperature and pressure by stochastic cell rescaling: M. Bernetti, G. Bussi, J. Chem.
// Phys. 153, 114107 (2020); boxes of other shapes: V. Del Tatto, P. Raiteri, M. Bernetti, G. Bussi,
// Appl. Sci. 12, 1139 (2022). A step is velocity Verlet, velocity rescaling (bussi.hpp) and a
// strain e of the box, h -> exp(e) h, r -> exp(e) r, v -> exp(-e) v, with
//
//   e = kappa / (3 tau) (P_int - P) dt + sqrt(2 k_B T kappa dt / (3 V tau)) X,
//   P_int = (sum m v (x) v + W) / V,
//
// where kappa is the compressibility, P the target pressure, W the virial and V the volume. The
// matrix e is restricted to the components that the box may follow. X is a symmetric matrix of
// normal deviates, with variance 1 on the diagonal and 1/2 off it. For an isotropic box this is the
// equation of the paper for ln V. For small timesteps a box has the weight exp(-(E + P V) / k_B T)
// dV. The box does not oscillate. If kappa is right, the pressure of the box reaches its target
// within tau.

#include <cmath>
#include <optional>

#include "larmor/atoms/integrators/bussi.hpp"
#include "larmor/atoms/integrators/pressure_bath.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"

namespace larmor::atoms {

/// A symmetric matrix of normal deviates. Its weight exp(-tr X^2 / 2) is invariant under rotations.
LARMOR_INLINE Mat3<double> symmetric_noise(const RandomKey& key) {
  constexpr std::uint64_t none = 0;
  const Vec3<double> d = normal_vector<double>(philox(key, none, none, 0));
  const double half = 0.70710678118654752;
  const Vec3<double> o = half * normal_vector<double>(philox(key, none, none, 1));
  return {{{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
}

/// The strain of a replica, and its virial and volume before the strain.
struct CellStrain {
  Mat3<double> e, deformation, inverse_deformation;  ///< exp(e), exp(-e)
  SymmetricTensor virial;
  double volume;
};

struct ChooseStrain {
  AtomsView atoms;
  HeatBathView heat;
  PressureBathView bath;
  double timestep, compressibility;
  RandomKeys keys;
  const SymmetricTensor* kinetic;  ///< sum m v (x) v [replicas]
  CellStrain* strain;              ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Box& box = atoms.box[replica];
    const double response = compressibility * timestep / (3 * bath.time[replica]);
    const Mat3<double> excess = matrix_of(pressure(box, kinetic[replica], atoms.virial[replica])) +
                                multiple_of_unit(-bath.pressure(replica));
    const double spread = square_root(2 * heat.thermal_energy(replica) * response / box.volume());
    const Mat3<double> e =
        allowed_part(response * excess + spread * symmetric_noise(keys(replica)), bath.shape);
    require_small_strain(atoms.fault, replica, e);
    strain[replica] = {e, affine_step(e, 1).A, affine_step(e, -1).A, atoms.virial[replica],
                       box.volume()};
  }
};

struct StrainAtom {
  Vec3<double>*position, *velocity;
  const CellStrain* strain;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    position[i] = strain[replica].deformation * position[i];
    velocity[i] = strain[replica].inverse_deformation * velocity[i];
  }
};

struct StrainBox {
  Box* box;
  const CellStrain* strain;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    deform(box[replica], strain[replica].deformation);
  }
};

/// Adds the work on the box to `heat`. The work uses the mean of the pressures before and after a
/// step.
struct AddWorkOfStrain {
  AtomsView atoms;
  PressureBathView bath;
  const CellStrain* strain;                    ///< [replicas]
  const std::array<double, 1>*before, *after;  ///< kinetic energies [replicas]
  double* heat;                                ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const CellStrain& s = strain[replica];
    const double P = bath.pressure(replica);
    const double of_virial =
        0.5 * trace(product(matrix_of(s.virial) + matrix_of(atoms.virial[replica]), s.e));
    heat[replica] += after[replica][0] - before[replica][0] - of_virial +
                     P * (atoms.box[replica].volume() - s.volume);
  }
};

class CellRescaling : public Bussi {
 public:
  static constexpr const char* name = "stochastic-cell-rescaling";
  static constexpr const char* doc =
      "the barostat of Bernetti and Bussi; it requires thermostat = \"bussi\"";
  static constexpr const char* thermostats[] = {Bussi::name};
  using AtomKernels = std::tuple<StrainAtom>;
  using ReplicaKernels = std::tuple<ChooseStrain, StrainBox, AddWorkOfStrain>;

  struct Keys {
    std::optional<double> bulk_modulus;  ///< GPa

    /// @param fields a FieldTable
    template <class Fields>
    static void add_to(Fields& fields) {
      fields
          .optional("bulk_modulus", &Keys::bulk_modulus, Dimension::pressure,
                    "stochastic-cell-rescaling: approximate bulk modulus of the material, which "
                    "only changes how fast the box responds; default: 100 GPa")
          .positive();
    }
  };

  /// @throws InputError for a bulk modulus that is not a positive number
  CellRescaling(double timestep, const HeatBath& heat, const PressureBath& pressure, int threads,
                const Keys& keys)
      : Bussi(timestep, heat, threads),
        bath_(pressure),
        compressibility_(1 / (pressure.GPa() * keys.bulk_modulus.value_or(100))) {
    if (!(compressibility_ > 0) || !std::isfinite(compressibility_))
      throw InputError("the compressibility of a barostat is " + number_text(compressibility_),
                       "give a positive bulk modulus");
  }

  /// E + P V minus the heat and the work of the baths. The work on a box uses the mean of the box's
  /// pressures before and after a step.
  std::vector<double> conserved(const AtomState& state) const override {
    std::vector<double> conserved = Bussi::conserved(state);
    const PressureBathView bath = bath_.view(state, {});
    const std::vector<Box> boxes = state.box.to_host();
    for (std::size_t r = 0; r < conserved.size(); ++r)
      conserved[r] += bath.pressure(static_cast<Index>(r)) * boxes[r].volume();
    return conserved;
  }

 protected:
  void require(const AtomState& state) const override {
    Bussi::require(state);
    bath_.require(state);
  }

  void step(AtomState& state, ForceField& field) override {
    kick_and_drift(state, timestep() / 2, timestep());
    strain(state);
    field.evaluate(state);
    for_each_replica(state,
                     AddWorkOfStrain{state.view(), bath_.view(state, state.device), strains_.data(),
                                     before_.data(), after_.data(), heat()});
    kick(state, timestep() / 2);
    rescale(state);
  }

 private:
  /// Strains all boxes, from the current velocities and virials.
  void strain(AtomState& state) {
    sum_kinetic_stresses(state, threads(), kinetic_);
    sum_kinetic_energies(state, threads(), before_);
    strains_.resize(state.device, state.layout.replicas());
    for_each_replica(state, ChooseStrain{state.view(), heat_bath(state, state.device),
                                         bath_.view(state, state.device), timestep(),
                                         compressibility_, state.random_keys(Stream::cell_noise),
                                         kinetic_.data(), strains_.data()});
    throw_fault_of_cpu(state);
    for_each_atom(state, threads(),
                  StrainAtom{state.position.data(), state.velocity.data(), strains_.data()});
    for_each_replica(state, StrainBox{state.box.data(), strains_.data()});
    sum_kinetic_energies(state, threads(), after_);
  }

  PressureBath bath_;
  double compressibility_;  ///< kappa, Angstrom^3/eV

  // Work arrays of the current step [replicas].
  ReplicaSums<6> kinetic_;
  ReplicaSums<1> before_, after_;
  AtomArray<CellStrain> strains_;
};

}  // namespace larmor::atoms
