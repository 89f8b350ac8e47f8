#pragma once
// Monte Carlo updates of all replicas. A step of the counter is a sweep of any kind. The random
// numbers are functions of (seed, step), so the state and the step are all that a run must save.
//
//   sweep          local moves, one proposal a spin; sites of one colour and slices of one parity
//                  are independent
//   line_sweep     each world line is cut into pieces between slices: at every kink, and elsewhere
//                  with probability e^(-2 K_i). A piece then draws its direction in the field of
//                  the neighbouring lines. Any couplings are allowed.
//   cluster_sweep  clusters of space and time (Swendsen and Wang), which draw their directions in
//                  the longitudinal field; only without frustration
//
// Sources: R. H. Swendsen and J.-S. Wang, Phys. Rev. Lett. 58, 86 (1987); H. Rieger and
// N. Kawashima, Eur. Phys. J. B 9, 233 (1999), for pieces of lines; T. Nakamura, Phys. Rev. Lett.
// 101, 210602 (2008), for frustrated couplings.

#include "larmor/core/update_counter.hpp"
#include "larmor/trotter/line_view.hpp"
#include "larmor/trotter/trotter_state.hpp"

namespace larmor::trotter {

class TrotterSampler {
 public:
  /// @param model must outlive the sampler @param steps the counter of the study
  TrotterSampler(const TrotterModel& model, std::uint64_t seed, const UpdateCounter& steps);

  /// @throws InputError if a site has no transverse field
  void sweep(TrotterState& state, Index sweeps);
  void line_sweep(TrotterState& state, Index sweeps);
  /// @throws InputError if the couplings are frustrated
  void cluster_sweep(TrotterState& state, Index sweeps);

 private:
  void share_sites(const RandomKey& key);
  void require_no_frustration();

  const TrotterModel* model_;
  std::uint64_t seed_;
  UpdateCounter steps_;
  bool is_checked_ = false;
  Array<double> K_, field_, gap_scale_;
  LineView lines_{};
};

}  // namespace larmor::trotter
