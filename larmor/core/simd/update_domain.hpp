#pragma once
// Updates of sites that processes may share, with exchange of the sites that others read.

#include "larmor/core/simd/for_each.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

namespace detail {

/// Runs work(), with its launches on a GPU on the given stream.
template <class Work>
void launch_on([[maybe_unused]] const Device& device, [[maybe_unused]] CUstream_st* stream,
               const Work& work) {
#if defined(__CUDACC__)
  if (device.backend == Backend::cuda) {
    const cuda::StreamScope scope(device.ordinal, stream);
    return work();
  }
#endif
  work();
}

}  // namespace detail

/// Runs work(extent), which writes `field` at the sites of the extent that this process updates.
/// Then receives the sites that other processes wrote and this process reads. `work` is called
/// twice: first for the sites that other processes read, then for the rest. On a GPU, the exchange
/// of the sites of the first call runs during the second call.
template <class Work>
void update_shared(const Device& device, const Extent& extent, const SiteRanges& sites,
                   const Reals& field, const Work& work) {
  const Domain* domain = extent.layout.domain;
  if (domain == nullptr) return work(extent);
  const auto run = [&](const SiteRanges& updated) {
    if (updated.count == 0) return;
    Domain reduced_domain = *domain;
    reduced_domain.owned = updated;
    Extent reduced = extent;
    reduced.layout.domain = &reduced_domain;
    work(reduced);
  };
  CUstream_st* const edge_stream = domain->fork(domain->context);
  detail::launch_on(device, edge_stream, [&] { run(domain->edge); });
  domain->exchange(domain->context, field, sites, extent.first_block, extent.last_block);
  run(domain->interior);
  domain->join(domain->context);
}

/// Runs a functor, which writes `field`, at all sites of an extent.
template <class Functor>
void for_each_shared(const Device& device, const Extent& extent, const Reals& field,
                     const Functor& functor) {
  const SiteRange sites{extent.first_site, extent.last_site};
  update_shared(device, extent, {&sites, 1}, field,
                [&](const Extent& updated) { for_each(device, updated, functor); });
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
