#pragma once
// Amplitudes A(q) of a study's spins, made where the spins are.

#include <memory>

#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"

namespace larmor::correlations {

class StateAmplitudes {
 public:
  /// @param replicas of the states, of all that the study has: these say what `automatic` stands
  /// for
  /// @throws InputError for a method that does not fit
  StateAmplitudes(const lattice::Geometry& geometry, const QList& q, Method method,
                  const ReplicaShare& replicas);
  ~StateAmplitudes();

  /// As numbers, (q, replica, 3, re im). On a GPU they are on their way.
  /// @param state of the layout and site order of all that will be transformed
  /// @throws MachineError when the GPU's memory is short or cuFFT is missing that the method needs
  Pending transform(const spins::SpinState& state);
  /// The same of spins on the host. @param out (q, replica, 3)
  void transform(const StridedVectors& spins, int threads, std::complex<double>* out);

  /// Bytes that it works in, where the spins are.
  static double bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                      const ReplicaShare& replicas, const Device& device);

 private:
  lattice::Geometry geometry_;
  QList q_;
  Method method_;
  Index all_replicas_;
  std::unique_ptr<AmplitudeTransform> transform_;
  std::unique_ptr<GpuTransform> gpu_transform_;  ///< made when first needed
};

}  // namespace larmor::correlations
