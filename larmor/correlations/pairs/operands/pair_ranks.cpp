#include "larmor/correlations/pairs/operands/pair_ranks.hpp"

#include "larmor/core/device/real_array.hpp"

#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/ranks/device_link.hpp"
#else
namespace larmor::cuda {
class DeviceLink {};
}  // namespace larmor::cuda
#endif

namespace larmor::correlations::real_space {
namespace {

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

bool has_all(const SpinLayout& layout) { return layout.replicas == layout.study_replicas(); }

SpinLayout layout_of_all(const SpinLayout& own) {
  SpinLayout all = own;
  all.replicas = own.study_replicas();
  all.first_replica = 0;
  return all;
}

}  // namespace

PairRanks::PairRanks(const Communicator& world, const Device& device)
    : world_(world), device_(device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda && world.size() > 1)
    link_ = std::make_unique<cuda::DeviceLink>(world, device);
#endif
}

PairRanks::~PairRanks() = default;

double PairRanks::bytes(Index sites, const ReplicaShare& replicas, const Device& device) {
  if (replicas.count == replicas.all) return 0;
  const SpinLayout all{sites, replicas.all};
  return static_cast<double>(bytes_of_reals(device.precision, all.numbers()));
}

/// Ranks have whole blocks of replicas, consecutive in memory.
void PairRanks::allocate(const spins::SpinState& own) {
  std::vector<double> numbers(at(world_.size()));
  numbers[at(world_.rank())] = static_cast<double>(own.layout().numbers());
  world_.sum(numbers.data(), numbers.size());
  first_number_ = {0};
  for (const double count : numbers)
    first_number_.push_back(first_number_.back() + static_cast<Index>(count));
  all_.emplace(own.device(), layout_of_all(own.layout()), own.canonical());
  if (first_number_.back() != all_->layout().numbers())
    throw InternalError("the replicas of all ranks are not those of the study");
}

const spins::SpinState& PairRanks::all_replicas(const spins::SpinState& own) {
  if (has_all(own.layout())) return own;
  if (!all_) allocate(own);
  const bool narrow = device_.precision == Precision::single_numbers;
  const std::size_t size = narrow ? sizeof(float) : sizeof(double);
  const auto bytes_of = [&](const Reals& reals) {
    return narrow ? reinterpret_cast<char*>(reals.narrow) : reinterpret_cast<char*>(reals.wide);
  };
  const auto replicas_of = [&](int rank) {
    const Index first = first_number_[at(rank)], last = first_number_[at(rank) + 1];
    return Message{rank, bytes_of(all_->reals()) + static_cast<std::size_t>(first) * size,
                   static_cast<std::size_t>(last - first) * size};
  };
  const std::size_t own_bytes = replicas_of(world_.rank()).bytes;
  std::vector<Message> out, in;  // one of the messages goes from this rank to itself
  for (int rank = 0; rank < world_.size(); ++rank) {
    out.push_back({rank, bytes_of(own.reals()), own_bytes});
    in.push_back(replicas_of(rank));
  }
  exchange(out, in);
  return *all_;
}

void PairRanks::exchange(const std::vector<Message>& out, const std::vector<Message>& in) {
#if defined(LARMOR_HAS_CUDA)
  if (link_) return link_->exchange(out, in);
#endif
  world_.exchange(out, in);
}

void PairRanks::add_up(double* numbers, Index count) {
#if defined(LARMOR_HAS_CUDA)
  if (link_) return link_->sum(numbers, static_cast<std::size_t>(count));
#endif
  if (world_.size() > 1) world_.sum(numbers, static_cast<std::size_t>(count));
}

}  // namespace larmor::correlations::real_space
