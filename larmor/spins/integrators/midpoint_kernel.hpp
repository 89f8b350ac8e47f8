#pragma once
// The implicit midpoint rule (d'Aquino et al., J. Comput. Phys. 209 (2005) 730),
//
//     e' - e = a(m) x (e + e') / 2,     m = (e + e') / 2 of all spins,
//
// is solved by fixed-point iteration. The rule conserves |e| to the tolerance of the iteration.
// Without damping and noise, it also conserves every energy that is quadratic in the spins. It is
// of second order.

#include "larmor/core/maths/sums.hpp"
#include "larmor/spins/integrators/llg.hpp"
#include "larmor/spins/integrators/rotation.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Blocks of replicas that have converged. Kernels on a GPU skip these blocks. On a CPU, no block
/// is marked.
struct ConvergedBlocks {
  /// Number of iterations until each block converged; 0 if it has not converged. Null: no block is
  /// marked.
  const double* after = nullptr;

  template <class At>
  LARMOR_INLINE bool has(const At& at) const {
    if constexpr (requires { at.replica; })
      return after != nullptr && after[at.replica / lane_count] > 0;
    else
      return false;  // only a CPU has packs
  }
};

/// Starts the iteration at m = e, and draws the noise.
struct MidpointStart {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const LlgFields fields(view);
    fields.first.store(at, fields.spins.load(at));
    if (view.root_thermal_energy != nullptr) fields.third.store(at, noise_turn(view, at));
  }
};

/// One iteration from work[0] to work[1].
template <BondClass C>
struct MidpointIteration {
  LlgView view;
  ConvergedBlocks converged{};
  LARMOR_INLINE Reals input() const { return view.work[0]; }

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    if (converged.has(at)) return;
    const LlgFields fields(view);
    const Vec3<Real> e = fields.spins.load(at);
    const Vec3<Real> m = fields.first.load(at);
    Vec3<Real> w = turn<C>(view, fields.first, at, m, view.drive.middle);
    if (view.root_thermal_energy != nullptr) w += fields.third.load(at);
    fields.second.store(at, Real(0.5) * (e + cayley(damped(view, at, m, w), e)));
  }
};

/// The square of the change of e' in an iteration. This is a separate kernel, because kernels that
/// update shared sites of several processes do not form partial sums.
struct MidpointChange {
  LlgView view;
  ConvergedBlocks converged{};

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    if (converged.has(at)) return {{Real(0.0)}};
    const LlgFields fields(view);
    const Vec3<Real> change = Real(2.0) * (fields.second.load(at) - fields.first.load(at));
    return {{dot(change, change)}};
  }
};

/// Marks the blocks in which no replica changed by more than `enough`. The kernel runs over only
/// one site.
struct MidpointConvergence {
  SpinLayout layout;
  const double* changes;  ///< sums of MidpointChange [padded replicas]
  double enough;
  int iterations;  ///< number of completed iterations
  double* converged_after;

  template <class Numbers>
  LARMOR_INLINE void operator()(const ScalarSlot<Numbers>& at) const {
    const Index block = at.replica / lane_count;
    if (at.replica % lane_count != 0 || converged_after[block] > 0) return;
    const Index lanes = layout.one_replica() ? 1 : lane_count;
    for (Index lane = 0; lane < lanes; ++lane)
      if (changes[at.replica + lane] > enough) return;
    converged_after[block] = iterations;
  }
};

/// e' = 2 m - e
template <class At>
LARMOR_INLINE void store_midpoint_end(const VectorView& spins, const VectorView& middle,
                                      const At& at) {
  using Real = typename At::Real;
  const Vec3<Real> m = middle.load(at);
  spins.store(at, renormalised(Real(2.0) * m - spins.load(at)));
}

/// Ends a step with m in work[0].
struct MidpointEnd {
  LlgView view;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const LlgFields fields(view);
    store_midpoint_end(fields.spins, fields.first, at);
  }
};

/// Ends a step with m from the last iteration of each block. The first iteration writes m to
/// work[1], the second to work[0], and so on.
struct MidpointEndOfBlocks {
  LlgView view;
  const double* converged_after;
  int iterations;  ///< iterations of blocks that have not converged

  template <class Numbers>
  LARMOR_INLINE void operator()(const ScalarSlot<Numbers>& at) const {
    const int after = static_cast<int>(converged_after[at.replica / lane_count]);
    const LlgFields fields(view);
    const bool odd = (after > 0 ? after : iterations) % 2 != 0;
    store_midpoint_end(fields.spins, odd ? fields.second : fields.first, at);
  }
};

struct Midpoint {
  static constexpr SchemeInfo info{
      .name = "midpoint",
      .doc = "second order, implicit; the steps conserve quadratic energies",
      .profile = "steps, midpoint",
      .header = nullptr,
      .noise_fields = 1};
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
