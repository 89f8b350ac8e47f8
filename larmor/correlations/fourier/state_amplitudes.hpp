#pragma once
// Amplitudes A(q) of a study's spins, computed on the device of the spins.

#include <memory>

#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"

namespace larmor::correlations {

class StateAmplitudes {
 public:
  /// @param replicas numbers of replicas in the states and in the study. `automatic` depends on the
  /// number in the study
  /// @throws InputError for a method that does not fit
  StateAmplitudes(const lattice::Geometry& geometry, const QList& q, Method method,
                  const ReplicaShare& replicas);
  ~StateAmplitudes();

  /// Amplitudes as numbers, (q, replica, 3, re im). On a GPU they are pending.
  /// @param state with the layout and site order of later states
  /// @throws MachineError if the GPU's memory is too small, or cuFFT is missing and the method
  /// needs it
  Pending transform(const spins::SpinState& state);
  /// Amplitudes of spins on the host. @param out (q, replica, 3)
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out);

  /// Bytes of working memory on the device of the spins.
  static double bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                      const ReplicaShare& replicas, const Device& device);

 private:
  lattice::Geometry geometry_;
  QList q_;
  Method method_;
  Index all_replicas_;
  std::unique_ptr<AmplitudeTransform> transform_;
  std::unique_ptr<GpuTransform> gpu_transform_;  ///< created at the first use
};

}  // namespace larmor::correlations
