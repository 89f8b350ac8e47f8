// Loops of integrators on a GPU, compiled without fused multiplication: a GPU has the bits of a
// CPU.

#include "larmor/atoms/integrators/motion.hpp"
#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/atoms/system/loops.cuh"

namespace larmor::atoms {
namespace {

template <class... Kernel>
constexpr auto atom_loops(std::tuple<Kernel...>*) {
  return std::make_tuple(&for_each_atom_on_gpu<Kernel>...);
}

template <class... Kernel>
constexpr auto replica_loops(std::tuple<Kernel...>*) {
  return std::make_tuple(&for_each_replica_on_gpu<Kernel>...);
}

template <class... Type>
constexpr auto loops_of(std::tuple<Type...>*) {
  return std::make_tuple(
      std::make_pair(atom_loops(static_cast<typename Type::AtomKernels*>(nullptr)),
                     replica_loops(static_cast<typename Type::ReplicaKernels*>(nullptr)))...);
}

}  // namespace

template void for_each_atom_on_gpu(const Device&, const LayoutView&, const Kick&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const KickAndDrift&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const Drift&);
template void for_each_atom_on_gpu(const Device&, const LayoutView&, const RequireFinite&);

// An explicit instantiation cannot name all types of a list. Addresses that are stored in global
// variables also make the compiler emit the functions.
constinit auto loops_of_thermostats = loops_of(static_cast<Thermostats*>(nullptr));
constinit auto loops_of_barostats = loops_of(static_cast<Barostats*>(nullptr));

}  // namespace larmor::atoms
