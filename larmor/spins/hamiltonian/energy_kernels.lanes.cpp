// Compiled once for each instruction set, and by energy_kernels.cu for CUDA.

#include "larmor/spins/hamiltonian/energy_kernels.hpp"

#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/hamiltonian/bond_class.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

template <BondClass C>
struct EnergyShare {
  ModelView model;
  Reals spins;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    return {{energy_share<C>(model, VectorView(spins, model.layout), at)}};
  }
};

/// Sums contributions of all sites, for the model's bond class. (K, padded replicas)
template <template <BondClass> class Share>
Pending sum_of(const Device& device, const ModelView& model, const Reals& spins) {
  return with_bond_class(model.bond_class, [&](auto bond_class) {
    return reduce_async(device, Extent::all(model.layout), Share<bond_class>{model, spins});
  });
}

void store_energy(const Device& device, const ModelView& model, const Reals& spins,
                  double* energies) {
  with_bond_class(model.bond_class, [&](auto bond_class) {
    reduce_into(device, Extent::all(model.layout), EnergyShare<bond_class>{model, spins}, energies);
  });
}

struct WeightedSpin {
  SpinLayout layout;
  RowTable weight;
  Reals spins;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 3> operator()(const At& at) const {
    const auto e = RowValues<At>(weight, at)[0] * VectorView(spins, layout).load(at);
    return {{e.x, e.y, e.z}};
  }
};

Pending weighted_sum(const Device& device, const SpinLayout& layout, const RowTable& weight,
                     const Reals& spins) {
  return reduce_async(device, Extent::all(layout), WeightedSpin{layout, weight, spins});
}

struct SpinTimesReference {
  SpinLayout layout;
  Reals spins, reference;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    return {{dot(VectorView(spins, layout).load(at), VectorView(reference, layout).load(at))}};
  }
};

Pending overlap(const Device& device, const SpinLayout& layout, const Reals& spins,
                const Reals& reference) {
  return reduce_async(device, Extent::all(layout), SpinTimesReference{layout, spins, reference});
}

template <BondClass C>
struct TemperatureShare {
  ModelView model;
  Reals spins;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 2> operator()(const At& at) const {
    const VectorView view(spins, model.layout);
    const auto e = view.load(at);
    const auto w = environment_of<C>(model, view, at);
    const auto h = effective_field(model, w, at, e);
    const auto torque = cross(e, h);
    return {{dot(torque, torque), laplacian(model, w, at, e, h)}};
  }
};

template <BondClass C>
struct TorqueOfBonds {
  ModelView model;
  Reals spins;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 3> operator()(const At& at) const {
    const VectorView view(spins, model.layout);
    const auto torque = cross(view.load(at), bilinear_field<C>(model, view, at));
    return {{torque.x, torque.y, torque.z}};
  }
};

template <BondClass C>
struct StoreEnergyShare {
  ModelView model;
  Reals spins;
  Reals share;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const Real energy = energy_share<C>(model, VectorView(spins, model.layout), at);
    VectorView(share, model.layout).store(at, {energy, Real(0.0), Real(0.0)});
  }
};

void store_site_energy(const Device& device, const ModelView& model, const Reals& spins,
                       const Reals& share) {
  with_bond_class(model.bond_class, [&](auto bond_class) {
    for_each(device, Extent::all(model.layout), StoreEnergyShare<bond_class>{model, spins, share});
  });
}

template <BondClass C>
struct StoreField {
  ModelView model;
  Reals spins;
  Reals field;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const VectorView view(spins, model.layout);
    const auto w = environment_of<C>(model, view, at);
    VectorView(field, model.layout).store(at, effective_field(model, w, at, view.load(at)));
  }
};

void store_field(const Device& device, const ModelView& model, const Reals& spins,
                 const Reals& field) {
  with_bond_class(model.bond_class, [&](auto bond_class) {
    for_each(device, Extent::all(model.layout), StoreField<bond_class>{model, spins, field});
  });
}

}  // namespace

const EnergyKernels energy_kernels_table{
    sum_of<EnergyShare>,   weighted_sum,      overlap,     sum_of<TemperatureShare>,
    sum_of<TorqueOfBonds>, store_site_energy, store_field, store_energy};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
