#include "larmor/transfer/transfer_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
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
  pass.first_bit = first_bit;
  pass.chunk = first_bit == 0 ? 0 : chunk_bits;
  std::fill(std::begin(pass.a), std::end(pass.a), 1.0);
  return pass;
}

}  // namespace

TransferMatrix::TransferMatrix(const SiteBits& bits, std::shared_ptr<const RowWeights> before,
                               std::shared_ptr<const RowWeights> after,
                               const std::vector<double>& K_next)
    : states_(bits.states()),
      ln_scale_((before->ln_bound() + after->ln_bound()) / 2),
      before_(std::move(before)),
      after_(std::move(after)) {
  const int n = bits.bits();
  passes_.push_back(pass_from(n, 0));
  for (int begin = tile_bits; begin < n; begin += tile_bits - chunk_bits)
    passes_.push_back(pass_from(n, std::min(begin, n - (tile_bits - chunk_bits))));
  input_.weight = before_->view();
  input_.mask = states_ - 1;
  for (int site = 0; site < bits.sites(); ++site) {
    const double K = K_next[static_cast<std::size_t>(site)];
    const auto [a, b] = matrix_of(K);
    ln_scale_ += std::abs(K);
    const int bit = bits.bit_of(site);
    if (bit < 0) {
      input_.has_mirror = true;
      input_.a = a;
      input_.b = bits.sector() == Sector::odd ? -b : b;
      continue;
    }
    // The first pass that has the bit in its group.
    for (PassView& pass : passes_) {
      const int element = bit - pass.first_bit + pass.chunk;
      if (bit < pass.first_bit || element >= pass.element_bits()) continue;
      pass.a[element] = a;
      pass.b[element] = b;
      break;
    }
  }
  output_.weight = after_->view();
}

TransferMatrix TransferMatrix::of_equal_rows(const Device& device, const RowModel& model,
                                             const SiteBits& bits) {
  const auto weights = std::make_shared<const RowWeights>(device, model, bits);
  return {bits, weights, weights, model.K_next};
}

void TransferMatrix::multiply(const Array<double>& in, Array<double>& out) const {
  const Device& device = out.device();
  for (std::size_t n = 0; n < passes_.size(); ++n) {
    TileInput from = input_;
    from.is_first = n == 0;
    from.v = from.is_first ? in.data() : out.data();
    TileOutput to = output_;
    to.is_last = n + 1 == passes_.size();
    to.v = out.data();
    const PassView& pass = passes_[n];
    if (device.backend == Backend::cuda) {
      detail::pass_on_gpu(device, pass, from, to);
      continue;
    }
    constexpr Index tiles_of_block = 16;
    const Index tiles = pass.tiles();
    parallel_for(device.threads, (tiles + tiles_of_block - 1) / tiles_of_block, [&](Index block) {
      tile_kernels().pass(pass, from, to, block * tiles_of_block,
                          std::min(tiles, (block + 1) * tiles_of_block));
    });
  }
}

}  // namespace larmor::transfer
