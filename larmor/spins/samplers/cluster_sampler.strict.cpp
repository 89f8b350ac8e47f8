#include "larmor/spins/samplers/cluster_sampler.hpp"

#include "larmor/spins/samplers/reflection_kernel.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/samplers/reflections_gpu.hpp"
#endif

namespace larmor::spins {
namespace {

/// The spins and the axes of one step.
class SpinsOfStep : public clusters::ReflectedField {
 public:
  SpinsOfStep(const Device& device, const ReflectionView& view) : device_(device), view_(view) {}

  void project(Index replica, Index first, Index last, float* sigma) const override {
    if (device_.precision == Precision::single_numbers)
      project_in<SingleNumbers>(replica, first, last, sigma);
    else
      project_in<DoubleNumbers>(replica, first, last, sigma);
  }
  void reflect(Index replica, Index first, Index last, const float*,
               const std::uint8_t* chosen) override {
    if (device_.precision == Precision::single_numbers)
      reflect_in<SingleNumbers>(replica, first, last, chosen);
    else
      reflect_in<DoubleNumbers>(replica, first, last, chosen);
  }

#if defined(LARMOR_HAS_CUDA)
  void project_all(float* sigma) const override { project_on_gpu(device_, view_, sigma); }
  void reflect_all(const clusters::ReflectionClusterView& clusters_view,
                   const clusters::FoundClusters& found) override {
    reflect_on_gpu(device_, view_, clusters_view, found);
  }
#else
  void project_all(float*) const override {}
  void reflect_all(const clusters::ReflectionClusterView&,
                   const clusters::FoundClusters&) override {}
#endif

 private:
  template <class Numbers>
  void project_in(Index replica, Index first, Index last, float* sigma) const {
    const ReflectionView view = view_;
    const auto r = axis_of<typename Numbers::Real>(view, replica);
    for (Index i = first; i < last; ++i)
      sigma[i] = projection(view, r, ScalarSlot<Numbers>{i, replica});
  }
  template <class Numbers>
  void reflect_in(Index replica, Index first, Index last, const std::uint8_t* chosen) const {
    const ReflectionView view = view_;
    const VectorView spins(view.spins, view.layout);
    const auto r = axis_of<typename Numbers::Real>(view, replica);
    for (Index i = first; i < last; ++i) {
      const ScalarSlot<Numbers> at{i, replica};
      if (chosen[i] != 0) spins.store(at, reflected(spins.load(at), r));
    }
  }

  Device device_;
  ReflectionView view_;
};

}  // namespace

ClusterSampler::ClusterSampler(const Model& model, const clusters::ReflectionGraph& bonds,
                               std::uint64_t seed, const ReplicaShare& replicas,
                               const Device& device)
    : seed_(seed),
      first_replica_(replicas.first),
      axis_(device, 3 * replicas.count),
      clusters_(bonds, replicas.count, seed, device, replicas.first) {
  if (model.layout(replicas).domain != nullptr)
    throw InternalError("clusters need all sites of a replica");
}

void ClusterSampler::update(SpinState& state, const double* beta, clusters::Reflected reflected,
                            bool measured) {
  const ReflectionView view{state.layout(), state.reals(), axis_.data()};
  const std::uint64_t step = state.step++;
  const RandomKey key{seed_, step, Stream::reflection_axis,
                      static_cast<std::uint64_t>(first_replica_)};
  const Device& device = state.device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) draw_axes_on_gpu(device, view, key);
#endif
  if (device.backend == Backend::cpu)
    for (Index replica = 0; replica < view.layout.replicas; ++replica)
      draw_axis(view, key, replica);
  SpinsOfStep field(device, view);
  clusters_.update({beta, 1.0}, field, step, reflected, measured);
}

void ClusterSampler::swendsen_wang(SpinState& state, const double* beta, bool measured) {
  update(state, beta, clusters::Reflected::half_of_all, measured);
}

void ClusterSampler::wolff(SpinState& state, const double* beta, Index clusters, bool measured) {
  for (Index n = 0; n < clusters; ++n)
    update(state, beta, clusters::Reflected::seed_cluster, measured);
}

}  // namespace larmor::spins
