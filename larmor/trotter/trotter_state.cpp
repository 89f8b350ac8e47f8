#include "larmor/trotter/trotter_state.hpp"

#include <string>
#include <utility>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/philox.hpp"

namespace larmor::trotter {
namespace {

bool is_rigid(const TrotterModel& model, Index group, Index site) {
  return model.instances()[static_cast<std::size_t>(model.instance_of_group(group))]
             .Gamma[static_cast<std::size_t>(site)] == 0;
}

/// Are all slices of each field equal?
bool slices_are_equal(const TimeWords& time, std::uint32_t word) {
  const std::uint32_t first = word & time.low;
  std::uint32_t spread = 0;
  for (int b = 0; b < time.bits; ++b) spread |= first << b;
  return spread == word;
}

#if defined(LARMOR_HAS_CUDA)
using detail::exchange_on_gpu;
#else
// Without CUDA there is no such device.
void exchange_on_gpu(const Device& device, const UpdateView&, const GroupPair*, Index) {
  require_cpu(device);
}
#endif

}  // namespace

TrotterState::TrotterState(const TrotterModel& model)
    : model_(&model), words_(model.device(), model.words()) {}

double TrotterState::bytes(const TrotterModel& model) {
  return static_cast<double>(model.words()) * sizeof(std::uint32_t);
}

std::uint32_t* TrotterState::host_data() {
  return model_->device().backend == Backend::cpu ? words_.data() : copy_.data();
}

HostWords TrotterState::host_words() {
  if (model_->device().backend == Backend::cuda) copy_ = words_.to_host();
  return {host_data(), model_->time(), model_->sites(), model_->lanes()};
}

void TrotterState::return_words() {
  if (model_->device().backend == Backend::cuda) words_.copy_from(copy_);
}

void TrotterState::randomise(std::uint64_t seed) {
  const RandomKey key{seed, 0, Stream::initial_configuration};
  const UpdateView& view = model_->view();
  host_words();
  for (Index group = 0; group < model_->groups(); ++group)
    for (Index site = 0; site < view.sites; ++site) {
      const bool rigid = is_rigid(*model_, group, site);
      std::uint32_t same = 0;
      for (int w = 0; w < view.time.words; ++w) {
        const auto drawn =
            philox<std::uint64_t>(key, static_cast<std::uint64_t>(site * view.time.words + w),
                                  static_cast<std::uint64_t>(group));
        auto word = static_cast<std::uint32_t>(drawn.w[0]);
        if (rigid && w == 0)
          for (int b = 0; b < view.time.bits; ++b) same |= (word & view.time.low) << b;
        if (rigid) word = same;
        host_data()[view.index_of(group, site, w)] = word;
      }
    }
  return_words();
}

void TrotterState::exchange(Index replica, Index other) {
  const ReplicaPlace a = model_->place(replica), b = model_->place(other);
  if (replica % model_->copies() != other % model_->copies())
    throw InternalError("replicas of different numbers exchange their slices");
  const GroupPair pair{a.group, b.group, model_->time().field_mask(a.field)};
  exchange(std::span(&pair, 1));
}

void TrotterState::exchange(std::span<const GroupPair> pairs) {
  if (pairs.empty()) return;
  UpdateView view = model_->view();
  view.spins = data();
  const Device& device = model_->device();
  if (device.backend == Backend::cuda) {
    if (pairs_.size() == 0) pairs_ = Array<GroupPair>(device, view.groups);
    pairs_.copy_range_from(pairs, 0);
    exchange_on_gpu(device, view, pairs_.data(), std::ssize(pairs));
    return;
  }
  parallel_for(device.threads, std::ssize(pairs), [&](Index n) {
    const GroupPair& pair = pairs[static_cast<std::size_t>(n)];
    for (Index word = 0; word < view.sites * view.time.words; ++word)
      exchange_bits(view, pair, word);
  });
}

std::vector<std::uint32_t> TrotterState::save() const {
  const UpdateView& view = model_->view();
  const std::vector<std::uint32_t> all = words_.to_host();
  std::vector<std::uint32_t> saved;
  saved.reserve(static_cast<std::size_t>(model_->groups() * view.sites * view.time.words));
  for (Index group = 0; group < model_->groups(); ++group)
    for (Index site = 0; site < view.sites; ++site)
      for (int w = 0; w < view.time.words; ++w)
        saved.push_back(all[static_cast<std::size_t>(view.index_of(group, site, w))]);
  return saved;
}

void TrotterState::restore(std::span<const std::uint32_t> saved) {
  const UpdateView& view = model_->view();
  const Index expected = model_->groups() * view.sites * view.time.words;
  if (std::ssize(saved) != expected)
    throw InputError("a saved state has " + std::to_string(saved.size()) + " words instead of " +
                         std::to_string(expected),
                     "resume from a state of this study");
  host_words();
  std::size_t next = 0;
  for (Index group = 0; group < model_->groups(); ++group)
    for (Index site = 0; site < view.sites; ++site) {
      const bool rigid = is_rigid(*model_, group, site);
      for (int w = 0; w < view.time.words; ++w, ++next) {
        if (rigid && (!slices_are_equal(view.time, saved[next]) ||
                      saved[next] != saved[next - static_cast<std::size_t>(w)]))
          throw InputError("slices of site " + std::to_string(site) +
                               " without a transverse field differ in a saved state",
                           "resume from a state of this study");
        host_data()[view.index_of(group, site, w)] = saved[next];
      }
    }
  return_words();
}

}  // namespace larmor::trotter
