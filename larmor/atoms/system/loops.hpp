#pragma once
// Loops and sums over atoms and replicas on the device of the atoms. A CPU runs a loop on threads.
// A GPU runs loops one after the other on its stream. CPU and GPU add the terms of a sum in one
// order.
//
// The body of a loop is an object that a CPU and a GPU can call, with pointers to memory of the
// device. The header of a body serves both devices: a .cu file that includes loops.cuh compiles the
// kernel.

#include "larmor/atoms/system/replica_sums.hpp"

namespace larmor::atoms {

template <class Body>
void for_each_atom_on_gpu(const Device& device, const LayoutView& layout, const Body& body);
template <class Body>
void for_each_replica_on_gpu(const Device& device, Index replicas, const Body& body);
template <std::size_t K, class Term>
void sum_replicas_on_gpu(const Device& device, const LayoutView& layout, const Term& term,
                         std::array<double, K>* sums);

/// Calls body(replica, atom) for every atom, in any order.
template <class Body>
void for_each_atom(const AtomState& state, int threads, const Body& body) {
#if defined(LARMOR_HAS_CUDA)
  if (state.device.backend == Backend::cuda)
    return for_each_atom_on_gpu(state.device, state.layout.view(), body);
#endif
  for_each_atom(state.layout, threads, body);
}

/// Calls body(replica) for every replica, in any order.
template <class Body>
void for_each_replica(const AtomState& state, const Body& body) {
#if defined(LARMOR_HAS_CUDA)
  if (state.device.backend == Backend::cuda)
    return for_each_replica_on_gpu(state.device, state.layout.replicas(), body);
#endif
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) body(replica);
}

/// K numbers per replica.
template <std::size_t K>
using ReplicaSums = AtomArray<std::array<double, K>>;

/// Sums `term` over the atoms of each replica. BITS: the order of the sums is that of
/// sums_of_replicas. @param term (atom) -> std::array<double, K> @param sums [replicas]
template <std::size_t K, class Term>
void sum_replicas(const AtomState& state, int threads, const Term& term, ReplicaSums<K>& sums) {
  sums.resize(state.device, state.layout.replicas());
#if defined(LARMOR_HAS_CUDA)
  if (state.device.backend == Backend::cuda)
    return sum_replicas_on_gpu<K>(state.device, state.layout.view(), term, sums.data());
#endif
  sums = sums_of_replicas<K>(state.layout, threads, term);
}

}  // namespace larmor::atoms
