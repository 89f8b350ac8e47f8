#include "larmor/phi4/field_clusters.hpp"

#include "larmor/phi4/phi4_gpu.hpp"
#include "larmor/phi4/with_components.hpp"

namespace larmor::phi4 {
namespace {

/// Fields and the axes of a step.
class ReflectedFieldState : public clusters::ReflectedField {
 public:
  ReflectedFieldState(const Device& device, const FieldView& view, const float* axis)
      : device_(device), view_(view), axis_(axis) {}

  void project(Index replica, Index first, Index last, float* sigma) const override {
    with_components(view_.components, [&](auto components) {
      constexpr int N = components;
      const Components<N> r = axis_of<N>(axis_, replica);
      const float* const phi = view_.field + replica * N * view_.sites;
      for (Index i = first; i < last; ++i) sigma[i] = phi[i] * r.c[0];
      for (int n = 1; n < N; ++n) {
        const float* const component = phi + n * view_.sites;
        for (Index i = first; i < last; ++i) sigma[i] = sigma[i] + component[i] * r.c[n];
      }
    });
  }

  void reflect(Index replica, Index first, Index last, const float* sigma,
               const std::uint8_t* chosen) override {
    with_components(view_.components, [&](auto components) {
      constexpr int N = components;
      const Components<N> r = axis_of<N>(axis_, replica);
      const bool fixed_length = is_infinite(view_.lambda[replica]);
      float* const phi = view_.field + replica * N * view_.sites;
      // The loop has no branches, so compilers can vectorise it.
      for (Index i = first; i < last; ++i) {
        Components<N> own;
        for (int n = 0; n < N; ++n) own.c[n] = phi[n * view_.sites + i];
        const Components<N> turned = reflected(own, r, sigma[i], fixed_length);
        for (int n = 0; n < N; ++n)
          phi[n * view_.sites + i] = chosen[i] != 0 ? turned.c[n] : own.c[n];
      }
    });
  }

  void project_sites(Index replica, const std::uint32_t* sites, Index count,
                     float* sigma) const override {
    with_components(view_.components, [&](auto components) {
      constexpr int N = components;
      const Components<N> r = axis_of<N>(axis_, replica);
      for (Index n = 0; n < count; ++n) sigma[sites[n]] = dot(load<N>(view_, replica, sites[n]), r);
    });
  }

  void reflect_sites(Index replica, const std::uint32_t* sites, Index count, const float* sigma,
                     const std::uint8_t*) override {
    with_components(view_.components, [&](auto components) {
      constexpr int N = components;
      const Components<N> r = axis_of<N>(axis_, replica);
      const bool fixed_length = is_infinite(view_.lambda[replica]);
      for (Index n = 0; n < count; ++n)
        store(view_, replica, sites[n],
              reflected(load<N>(view_, replica, sites[n]), r, sigma[sites[n]], fixed_length));
    });
  }

#if defined(LARMOR_HAS_CUDA)
  void project_all(float* sigma) const override { project_on_gpu(device_, view_, axis_, sigma); }
  void reflect_all(const clusters::ReflectionClusterView& clusters_view,
                   const clusters::FoundClusters& found) override {
    reflect_on_gpu(device_, view_, axis_, clusters_view, found);
  }
#else
  void project_all(float*) const override {}
  void reflect_all(const clusters::ReflectionClusterView&,
                   const clusters::FoundClusters&) override {}
#endif

 private:
  Device device_;
  FieldView view_;
  const float* axis_;
};

}  // namespace

FieldClusters::FieldClusters(const FieldModel& model, std::uint64_t seed)
    : model_(&model),
      seed_(seed),
      axis_(model.device(), model.replicas().count * most_components),
      clusters_(clusters::ReflectionGraph::on_grid(model.grid()), model.replicas().count, seed,
                model.device(), model.replicas().first) {}

void FieldClusters::update(FieldState& state, clusters::Reflected reflected, bool measured) {
  const FieldView view = state.view();
  const std::uint64_t step = state.step++;
  const RandomKey key{seed_, step, Stream::reflection_axis,
                      static_cast<std::uint64_t>(model_->replicas().first)};
  const Device& device = model_->device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) draw_axes_on_gpu(device, view, key, axis_.data());
#endif
  if (device.backend == Backend::cpu)
    with_components(model_->components(), [&](auto components) {
      constexpr int N = components;
      const DrawAxis<N> draw{key, axis_.data()};
      for (Index r = 0; r < view.replicas; ++r) draw(r);
    });
  ReflectedFieldState field(device, view, axis_.data());
  clusters_.update({view.kappa, 2.0}, field, step, reflected, measured);
}

void FieldClusters::swendsen_wang(FieldState& state, bool measured) {
  update(state, clusters::Reflected::half_of_all, measured);
}

void FieldClusters::wolff(FieldState& state, Index clusters, bool measured) {
  for (Index n = 0; n < clusters; ++n) update(state, clusters::Reflected::seed_cluster, measured);
}

}  // namespace larmor::phi4
