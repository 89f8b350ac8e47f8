#pragma once
// Loops of a functor over (site, replica) on a device: CPU threads here, also CUDA if nvcc compiles
// the including file. A functor is a named struct with
//
//     template <class At> LARMOR_INLINE void operator()(const At& at) const;          // for_each
//     template <class At> LARMOR_INLINE Sums<typename At::Real, K> operator()(...)    // reduce
//
// Functors of `count` are those of `reduce` with K = 1.
//
// BITS: the order of sums depends only on the sizes, not on the number of threads. If processes
// share the sites, functors of sums write nothing: a process adds up other sites than it updates.

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/thread_team.hpp"
#include "larmor/core/maths/sums.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor {

/// Storage positions [first_site, last_site) of replica blocks [first_block, last_block).
struct Extent {
  SpinLayout layout;
  Index first_site, last_site;
  Index first_block, last_block;

  /// Every spin of every replica.
  static Extent all(const SpinLayout& layout) {
    return {layout, 0, layout.spins(), 0, layout.blocks()};
  }
};

/// BITS: slots that one partial sum of `reduce` covers.
inline constexpr Index slots_of_partial_sum = 64;
static_assert(partial_sum_grain % (slots_of_partial_sum * lane_count) == 0);

/// Calls body(extent) for the sub-extents that this process updates.
template <class Body>
void for_each_owned(const Extent& extent, const Body& body) {
  const Domain* domain = extent.layout.domain;
  if (domain == nullptr) return body(extent);
  for (Index n = 0; n < domain->owned.count; ++n) {
    const SiteRange& owned = domain->owned.range[n];
    Extent updated = extent;
    if (owned.first > updated.first_site) updated.first_site = owned.first;
    if (owned.last < updated.last_site) updated.last_site = owned.last;
    if (updated.first_site < updated.last_site) body(updated);
  }
}

inline bool is_owned(const Domain* domain, Index site) {
  if (domain == nullptr) return true;
  Index low = 0, high = domain->owned.count;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (domain->owned.range[middle].last <= site) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < domain->owned.count && domain->owned.range[low].first <= site;
}

inline namespace LARMOR_ISA_NAMESPACE {

namespace detail {

/// Calls body(first, last) for blocks of [0, count), on several threads if `threads` > 1.
template <class Body>
void loop_over_ranges(int threads, Index count, const Body& body) {
  const auto work = [](const void* context, Index first, Index last) {
    (*static_cast<const Body*>(context))(first, last);
  };
  share_short_work(threads, count, work, &body);
}

/// Calls body(i) for i in [0, count), on several threads if `threads` > 1.
template <class Body>
void loop_over_items(int threads, Index count, const Body& body) {
  constexpr Index blocks_of_thread = 8;
  const auto work = [](const void* context, Index first, Index last) {
    for (Index i = first; i < last; ++i) (*static_cast<const Body*>(context))(i);
  };
  share_loop(threads, count,
             count < threads * blocks_of_thread ? count : threads * blocks_of_thread, work, &body);
}

/// Slot number `group` of the layout of one replica; lanes inside the extent are active.
template <class Numbers>
LARMOR_INLINE SitePackSlot<Numbers> site_lanes(const Extent& extent, Index group) {
  const Index first = group * lane_count;
  unsigned active = 0xffu;
  if (first < extent.first_site) active &= 0xffu << (extent.first_site - first);
  if (first + lane_count > extent.last_site)
    active &= 0xffu >> (first + lane_count - extent.last_site);
  return {first, active & 0xffu};
}

inline Index first_group(const Extent& extent) { return extent.first_site / lane_count; }
inline Index last_group(const Extent& extent) {
  return (extent.last_site + lane_count - 1) / lane_count;
}

/// Calls body(Numbers{}) for the numbers of the device's precision; only CUDA has mixed precision.
template <class Body>
auto with_cpu_numbers(const Device& device, const Body& body) {
  if (device.precision == Precision::single_numbers) return body(SingleNumbers{});
  return body(DoubleNumbers{});
}

template <class Numbers, class Functor>
void for_each_cpu(const Device& device, const Extent& extent, const Functor& functor) {
  if (extent.last_site <= extent.first_site) return;
  if (extent.layout.one_replica()) {
    const Index begin = first_group(extent);
    loop_over_ranges(device.threads, last_group(extent) - begin, [&](Index first, Index last) {
      for (Index group = begin + first; group < begin + last; ++group)
        functor(site_lanes<Numbers>(extent, group));
    });
    return;
  }
  const Index sites = extent.last_site - extent.first_site;
  const Index blocks = extent.last_block - extent.first_block;
  loop_over_ranges(device.threads, sites * blocks, [&](Index first, Index last) {
    Index block = extent.first_block + first / sites;
    for (Index site = extent.first_site + first % sites; first < last; ++block) {
      const Index left = extent.last_site - site;
      const Index end = last - first < left ? site + (last - first) : extent.last_site;
      first += end - site;
      for (; site < end; ++site) functor(ReplicaPackSlot<Numbers>{site, block});
      site = extent.first_site;
    }
  });
}

template <class Slots, class Functor>
auto sum_slots(const Slots& slot, Index begin, Index end, const Functor& functor) {
  using Result = decltype(functor(slot(begin)));
  Sums<Pack, Result::count, Result::maxima> sums;
  for (int k = 0; k < Result::count; ++k) sums.value[k] = Pack(0.0);
  for (Index i = begin; i < end; ++i) {
    const auto at = slot(i);
    const Result term = functor(at);
    for (int k = 0; k < Result::count; ++k)
      sums.value[k] = Result::joined(k, sums.value[k], masked(at, converted<Pack>(term.value[k])));
  }
  return sums;
}

/// BITS: computes the partial sums over the slots of one block, then adds them in order.
/// @param out receives (K, 8)
/// @param domain this process's share of the partial sums, with `sites_of_slot` sites per slot from
/// slot 0 on; null if this process owns all
template <class Slots, class Functor>
void reduce_block(int threads, Index begin, Index end, const Slots& slot, const Functor& functor,
                  double* out, const Domain* domain, Index sites_of_slot) {
  using Result = decltype(functor(slot(begin)));
  constexpr int width = Result::count * lane_count;
  const Index partials = (end - begin + slots_of_partial_sum - 1) / slots_of_partial_sum;
  std::vector<double> partial(static_cast<std::size_t>(partials * width));
  loop_over_items(threads, partials, [&](Index p) {
    const Index from = begin + p * slots_of_partial_sum;
    if (!is_owned(domain, from * sites_of_slot)) return;
    const Index to = from + slots_of_partial_sum < end ? from + slots_of_partial_sum : end;
    const auto sums = sum_slots(slot, from, to, functor);
    for (int k = 0; k < Result::count; ++k)
      sums.value[k].store(partial.data() + p * width + k * lane_count);
  });
  if (domain != nullptr) domain->add_up(domain->context, partial.data(), partials * width);
  for (int i = 0; i < width; ++i) out[i] = 0.0;
  for (Index p = 0; p < partials; ++p)
    for (int i = 0; i < width; ++i)
      out[i] =
          Result::joined(i / lane_count, out[i], partial[static_cast<std::size_t>(p * width + i)]);
}

/// Sums over the sites of the extent for the replicas of its first block, and joins the sums to
/// those in `out`. The shape of `out` is (K, 8), or (K) if there is only one replica.
template <class Numbers, class Functor>
void add_block_sums_in(const Device& device, const Extent& extent, const Functor& functor,
                       double* out) {
  using Result = decltype(functor(ReplicaPackSlot<Numbers>{}));
  double lanes[Result::count * lane_count];
  if (extent.layout.one_replica()) {
    reduce_block(
        device.threads, first_group(extent), last_group(extent),
        [&](Index group) { return site_lanes<Numbers>(extent, group); }, functor, lanes,
        extent.layout.domain, lane_count);
    for (int k = 0; k < Result::count; ++k)
      for (int l = 0; l < lane_count; ++l)
        out[k] = Result::joined(k, out[k], lanes[k * lane_count + l]);
    return;
  }
  const Index block = extent.first_block;
  reduce_block(
      device.threads, extent.first_site, extent.last_site,
      [&](Index site) {
        return ReplicaPackSlot<Numbers>{site, block};
      },
      functor, lanes, extent.layout.domain, 1);
  for (int i = 0; i < Result::count * lane_count; ++i)
    out[i] = Result::joined(i / lane_count, out[i], lanes[i]);
}

template <class Functor>
void add_block_sums(const Device& device, const Extent& extent, const Functor& functor,
                    double* out) {
  with_cpu_numbers(device, [&](auto numbers) {
    add_block_sums_in<decltype(numbers)>(device, extent, functor, out);
  });
}

template <class Functor>
std::vector<double> reduce_cpu(const Device& device, const Extent& extent, const Functor& functor) {
  constexpr int K = decltype(functor(ReplicaPackSlot<>{}))::count;
  const Index padded = extent.layout.padded_replicas();
  const int width = extent.layout.one_replica() ? 1 : lane_count;
  std::vector<double> totals(static_cast<std::size_t>(K * padded));
  for (Index block = extent.first_block; block < extent.last_block; ++block) {
    Extent one_block = extent;
    one_block.first_block = block;
    one_block.last_block = block + 1;
    double sums[K * lane_count] = {};
    add_block_sums(device, one_block, functor, sums);
    for (int k = 0; k < K; ++k)
      for (int l = 0; l < width; ++l)
        totals[static_cast<std::size_t>(k * padded + block * width + l)] = sums[k * width + l];
  }
  return totals;
}

template <class Functor>
void count_cpu(const Device& device, const Extent& extent, const Functor& functor,
               std::uint64_t* counts) {
  const Index width = extent.layout.one_replica() ? 1 : lane_count;
  for (Index block = extent.first_block; block < extent.last_block; ++block) {
    Extent one_block = extent;
    one_block.first_block = block;
    one_block.last_block = block + 1;
    double sums[lane_count] = {};
    for_each_owned(one_block, [&](Extent owned) {
      owned.layout.domain = nullptr;
      add_block_sums(device, owned, functor, sums);
    });
    for (Index l = 0; l < width; ++l)
      counts[block * width + l] += static_cast<std::uint64_t>(sums[l]);
  }
}

}  // namespace detail

#if !defined(__CUDACC__)

/// Calls the functor at every slot of the extent.
/// @throws InternalError if the device is a GPU, but this file was not compiled for CUDA
template <class Functor>
void for_each(const Device& device, const Extent& extent, const Functor& functor) {
  require_cpu(device);
  for_each_owned(extent, [&](const Extent& owned) {
    detail::with_cpu_numbers(device, [&](auto numbers) {
      detail::for_each_cpu<decltype(numbers)>(device, owned, functor);
    });
  });
}

/// @return sums over sites [K][padded replicas]; entries of padded replicas are meaningless
template <class Functor>
std::vector<double> reduce(const Device& device, const Extent& extent, const Functor& functor) {
  require_cpu(device);
  return detail::reduce_cpu(device, extent, functor);
}

/// As `reduce`, without waiting for a GPU.
template <class Functor>
Pending reduce_async(const Device& device, const Extent& extent, const Functor& functor) {
  return Pending(reduce(device, extent, functor));
}

/// As `reduce`, with the sums in memory of the device, after all earlier launches.
/// @param sums on the device [K][padded replicas]
template <class Functor>
void reduce_into(const Device& device, const Extent& extent, const Functor& functor, double* sums) {
  const std::vector<double> totals = reduce(device, extent, functor);
  for (std::size_t i = 0; i < totals.size(); ++i) sums[i] = totals[i];
}

/// Adds to `counts`, for each replica, the number of sites updated by this process for which the
/// functor returns 1. The functor returns one number, 0 or 1.
/// @param counts on the device [padded replicas]
template <class Functor>
void count(const Device& device, const Extent& extent, const Functor& functor,
           std::uint64_t* counts) {
  require_cpu(device);
  detail::count_cpu(device, extent, functor, counts);
}

#endif

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor

#if defined(__CUDACC__)
#include "larmor/core/simd/for_each.cuh"
#endif
