#pragma once
// Vectors of all coordinates that relax, atoms and boxes of all replicas, and operations on them.
// The result for a replica depends only on that replica.

#include <span>
#include <vector>

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// The box of a replica adds one coordinate per matrix element. The matrices are zero for constant
/// boxes.
struct JointVector {
  explicit JointVector(const AtomLayout& layout)
      : atom(static_cast<std::size_t>(layout.atoms())),
        box(static_cast<std::size_t>(layout.replicas())) {}

  std::vector<Vec3<double>> atom;
  std::vector<Mat3<double>> box;
};

/// For each replica: 1 if it is chosen, otherwise 0 [replicas].
using ReplicaSet = std::vector<char>;

/// The inner product a.b of each replica. BITS: summed in the order of sums_of_replicas.
std::vector<double> inner_products(const AtomLayout& layout, const JointVector& a,
                                   const JointVector& b, int threads);

/// result = x, for the chosen replicas.
void assign(const AtomLayout& layout, const ReplicaSet& chosen, const JointVector& x,
            JointVector& result, int threads);

/// result = a x + b y, for the chosen replicas; `result` may be x or y. @param a, b [replicas]
void combine(const AtomLayout& layout, const ReplicaSet& chosen, std::span<const double> a,
             const JointVector& x, std::span<const double> b, const JointVector& y,
             JointVector& result, int threads);

/// Length of the longest vector of an atom in each replica [replicas].
std::vector<double> largest_of_atoms(const AtomLayout& layout, std::span<const Vec3<double>> v,
                                     int threads);

/// Appends the numbers of one replica.
void save(std::vector<double>& out, const AtomLayout& layout, Index replica, const JointVector& v);
/// Removes the numbers of the replica from the front of `saved`.
void load(std::span<const double>& saved, const AtomLayout& layout, Index replica, JointVector& v);

}  // namespace larmor::atoms
