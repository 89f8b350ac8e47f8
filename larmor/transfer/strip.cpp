#include "larmor/transfer/strip.hpp"

#include <cmath>

namespace larmor::transfer {
StripSpectrum::StripSpectrum(const Device& device, const RowModel& model, Sector sector,
                             const LanczosSettings& settings)
    : model_(model),
      bits_(model, sector),
      weights_(std::make_shared<const RowWeights>(device, model, bits_)),
      matrix_(bits_, weights_, weights_, model.K_next),
      lanczos_(
          device, matrix_.states(),
          [this](const Vector& in, Vector& out) { matrix_.multiply(in, out); }, settings) {}

std::vector<Level> StripSpectrum::levels() const {
  std::vector<Level> levels;
  const std::vector<EigenPair> pairs = lanczos_.pairs();
  for (const EigenPair& pair : pairs)
    levels.push_back({std::log(std::abs(pair.value)) + matrix_.ln_scale(), pair.value < 0,
                      pair.residual / std::abs(pairs.front().value)});
  return levels;
}

RowAverages StripSpectrum::averages() const {
  return row_averages(lanczos_.vector(0), model_, bits_, *weights_);
}

double StripSpectrum::bytes(int sites, Sector sector, const LanczosSettings& settings) {
  const Index states = Index{1} << (sector == Sector::all ? sites : sites - 1);
  return Lanczos::bytes(states, settings) + RowWeights::bytes(states);
}

StripProduct::StripProduct(const Device& device, const RowModel& all, const RowModel& first)
    : bits_(all, Sector::all),
      last_(std::make_shared<const RowWeights>(device, first, bits_)),
      v_(device, bits_.states()),
      next_(device, bits_.states()) {
  fill_weights(v_, last_->view());
  ln_scale_ = last_->ln_bound() / 2;
}

void StripProduct::add(const RowModel& row, const std::vector<double>& K_next) {
  const auto weights = std::make_shared<const RowWeights>(v_.device(), row, bits_);
  const TransferMatrix matrix(bits_, last_, weights, K_next);
  matrix.multiply(v_, next_);
  std::swap(v_, next_);
  const double length = norm(v_);
  scale(v_, 1 / length);
  ln_scale_ += matrix.ln_scale() + std::log(length);
  last_ = weights;
}

double StripProduct::ln_Z() const {
  return ln_scale_ + last_->ln_bound() / 2 + std::log(closing_sum());
}

double StripProduct::closing_sum() const {
  Vector weights(v_.device(), v_.size());
  fill_weights(weights, last_->view());
  const Vector* const other[] = {&weights};
  return dots(v_, other).front();
}

double StripProduct::bytes(int sites) {
  const Index states = Index{1} << sites;
  return 3 * 8 * static_cast<double>(states) + 2 * RowWeights::bytes(states);
}

}  // namespace larmor::transfer
