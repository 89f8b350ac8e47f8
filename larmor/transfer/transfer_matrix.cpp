#include "larmor/transfer/transfer_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "larmor/transfer/tile_kernels.hpp"

namespace larmor::transfer {
namespace {

/// a and b of the matrix of a coupling.
std::pair<double, double> matrix_of(double K) {
  const double small = std::exp(-2 * std::abs(K));
  return K >= 0 ? std::pair(1.0, small) : std::pair(small, 1.0);
}

PassView pass_from(int bits, int first_bit) {
  PassView pass{};
  pass.bits = bits;
  pass.element_bits = std::min(bits, tile_bits);
  pass.first_bit = first_bit;
  pass.chunk = first_bit == 0 ? 0 : chunk_bits;
  std::fill(std::begin(pass.a), std::end(pass.a), 1.0);
  return pass;
}

std::vector<PassView> passes_of(int bits) {
  constexpr int group = tile_bits - chunk_bits;
  std::vector<PassView> passes{pass_from(bits, 0)};
  for (int begin = tile_bits; begin < bits; begin += group)
    passes.push_back(pass_from(bits, std::min(begin, bits - group)));
  return passes;
}

/// Sums of a product are taken in its last pass, if that is a pass over tiles.
bool takes_sums(const VectorSpace& space) {
  return space.device().backend == Backend::cuda && space.size() >= Index{1} << tile_bits;
}

}  // namespace

TransferMatrix::TransferMatrix(const VectorSpace& space, const SiteBits& bits,
                               std::shared_ptr<const RowWeights> before,
                               std::shared_ptr<const RowWeights> after,
                               const std::vector<double>& K_next)
    : space_(space),
      ln_scale_((before->ln_bound() + after->ln_bound()) / 2),
      before_(std::move(before)),
      after_(std::move(after)) {
  const int rank_bits = std::countr_zero(static_cast<unsigned>(space.ranks()));
  const int own_bits = bits.bits() - rank_bits;
  passes_ = passes_of(own_bits);
  all_ranks_ = passes_of(bits.bits()).back();
  rank_bits_.resize(static_cast<std::size_t>(rank_bits));
  for (int site = 0; site < bits.sites(); ++site) {
    const double K = K_next[static_cast<std::size_t>(site)];
    const auto [a, b] = matrix_of(K);
    ln_scale_ += std::abs(K);
    const int bit = bits.bit_of(site);
    if (bit < 0) {
      has_mirror_ = true;
      a_ = a;
      b_ = bits.sector() == Sector::odd ? -b : b;
    } else if (bit >= own_bits) {
      rank_bits_[static_cast<std::size_t>(bit - own_bits)] = {space.rank() ^ 1 << (bit - own_bits),
                                                              a, b};
    } else {
      // The first pass that has the bit in its group.
      for (PassView& pass : passes_) {
        const int element = bit - pass.first_bit + pass.chunk;
        if (bit < pass.first_bit || element >= pass.element_bits) continue;
        pass.a[element] = a;
        pass.b[element] = b;
        break;
      }
    }
  }
  if (rank_bits > 0) received_ = space.vector();
  if (takes_sums(space))
    sums_ = Vector(space.device(), blocks_of_tiles(all_ranks_.tiles()) << part_bits);
}

TransferMatrix TransferMatrix::of_equal_rows(const VectorSpace& space, const RowModel& model,
                                             const SiteBits& bits) {
  const auto weights = std::make_shared<const RowWeights>(space.device(), model, bits);
  return {space, bits, weights, weights, model.K_next};
}

void TransferMatrix::multiply(const Vector& in, double factor, Vector& out) {
  run(in, factor, {}, out);
}

double TransferMatrix::multiply(const Vector& in, double factor, const Vector* previous,
                                double coefficient, Vector& out) {
#if defined(LARMOR_HAS_CUDA)
  if (takes_sums(space_)) {
    TileOutput end{};
    end.previous = previous != nullptr ? previous->data() : nullptr;
    end.coefficient = coefficient;
    end.other = in.data();
    end.sums = sums_.data();
    run(in, factor, end, out);
    return space_.totals(detail::sums_on_gpu(space_, sums_)).front();
  }
#endif
  run(in, factor, {}, out);
  if (previous != nullptr) subtract(out, {&coefficient, 1}, {&previous, 1});
  const Vector* const other[] = {&in};
  return dots(space_, out, other).front();
}

void TransferMatrix::run(const Vector& in, double factor, TileOutput end, Vector& out) {
  TileInput from{};
  from.weight = from.mirror_weight = before_->view(space_.first());
  from.a = factor * a_;
  from.b = factor * b_;
  from.mask = space_.own() - 1;
  if (has_mirror_) {
    const int opposite = space_.ranks() - 1 - space_.rank();
    if (opposite != space_.rank()) space_.exchange(in, received_, opposite);
    from.mirror = opposite == space_.rank() ? in.data() : received_.data();
    from.mirror_weight = before_->view(opposite * space_.own());
  }
  end.v = out.data();
  end.weight = after_->view(space_.first());
  end.is_last = true;
  TileOutput within{};
  within.v = out.data();
  for (std::size_t n = 0; n < passes_.size(); ++n) {
    from.is_first = n == 0;
    from.v = from.is_first ? in.data() : out.data();
    run_pass(n, from, rank_bits_.empty() && n + 1 == passes_.size() ? end : within);
  }
  for (std::size_t n = 0; n < rank_bits_.size(); ++n) {
    space_.exchange(out, received_, rank_bits_[n].with);
    combine(rank_bits_[n], n + 1 == rank_bits_.size() ? end : within);
  }
}

void TransferMatrix::run_pass(std::size_t n, const TileInput& in, const TileOutput& out) {
  const PassView& pass = passes_[n];
  const Device& device = space_.device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return detail::pass_on_gpu(device, pass, in, out);
#endif
  for_tiles(device.threads, pass.tiles(),
            [&](Index first, Index last) { tile_kernels().pass(pass, in, out, first, last); });
}

void TransferMatrix::combine(const RankBit& bit, const TileOutput& out) {
  const Device& device = space_.device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return detail::combine_on_gpu(space_, all_ranks_, bit.a, bit.b, received_, out);
#endif
  for_tiles(device.threads, space_.own() >> tile_bits, [&](Index first, Index last) {
    tile_kernels().combine(bit.a, bit.b, received_.data(), out, first << tile_bits,
                           last << tile_bits);
  });
}

}  // namespace larmor::transfer
