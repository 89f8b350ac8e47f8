#pragma once
// Updates of sites that processes may share: what others read of them is exchanged.

#include "larmor/core/simd/for_each.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

namespace detail {

/// Runs work; what it launches on a GPU goes to a stream of its own.
template <class Work>
void launch_on([[maybe_unused]] const Device& device, [[maybe_unused]] CUstream_st* stream,
               const Work& work) {
#if defined(__CUDACC__)
  if (device.backend == Backend::cuda) {
    const cuda::OnStream on(device.ordinal, stream);
    return work();
  }
#endif
  work();
}

}  // namespace detail

/// Runs work(extent), which writes `field` at some sites of the extent's blocks where this process
/// updates them, and brings what others have written there and this one reads. Twice, of parts of
/// what this process updates: first of what others read, which on a GPU is on its way while the
/// rest is written.
template <class Work>
void update_shared(const Device& device, const Extent& extent, const SiteRanges& sites,
                   const Reals& field, const Work& work) {
  const Domain* domain = extent.layout.domain;
  if (domain == nullptr) return work(extent);
  const auto run = [&](const SiteRanges& part) {
    if (part.count == 0) return;
    Domain of_part = *domain;
    of_part.owned = part;
    Extent reduced = extent;
    reduced.layout.domain = &of_part;
    work(reduced);
  };
  CUstream_st* const beside = domain->fork(domain->context);
  detail::launch_on(device, beside, [&] { run(domain->edge); });
  domain->exchange(domain->context, field, sites, extent.first_block, extent.last_block);
  run(domain->interior);
  domain->join(domain->context);
}

/// A functor at all sites of an extent, which writes `field`.
template <class Functor>
void for_each_shared(const Device& device, const Extent& extent, const Reals& field,
                     const Functor& functor) {
  const SiteRange sites{extent.first_site, extent.last_site};
  update_shared(device, extent, {&sites, 1}, field,
                [&](const Extent& part) { for_each(device, part, functor); });
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
