#include "larmor/transfer/strip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace larmor::transfer {
namespace {

std::unique_ptr<VectorSpace> space_of(const Device& device, const SiteBits& bits,
                                      const Communicator* world) {
  if (world == nullptr || !VectorSpace::can_share(bits.states(), world->size()))
    return std::make_unique<VectorSpace>(device, bits.states());
  return std::make_unique<VectorSpace>(device, bits.states(), *world);
}

/// All elements of T are positive, also between even states. So its largest eigenvalue is simple:
/// O. Perron, Math. Ann. 64, 248 (1907).
LanczosSettings completed(LanczosSettings settings, Sector sector) {
  settings.is_first_simple = sector != Sector::odd;
  return settings;
}

}  // namespace

StripSpectrum::StripSpectrum(const Device& device, const RowModel& model, Sector sector,
                             const LanczosSettings& settings, const Communicator* world)
    : model_(model),
      bits_(model, sector),
      space_(space_of(device, bits_, world)),
      weights_(std::make_shared<const RowWeights>(device, model, bits_)),
      wanted_(std::min(settings.wanted, bits_.states())),
      matrix_(*space_, bits_, weights_, weights_, model.K_next),
      lanczos_(*space_, matrix_, completed(settings, sector)) {}

std::vector<Level> StripSpectrum::levels() const {
  constexpr double least = 1e-10, nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Level> levels;
  const std::vector<EigenPair> pairs = lanczos_.pairs();
  const double largest = std::abs(pairs.front().value);
  for (const EigenPair& pair : pairs) {
    const bool is_known = std::abs(pair.value) >= least * largest;
    levels.push_back({is_known ? std::log(std::abs(pair.value)) + matrix_.ln_scale() : nan,
                      is_known && pair.value < 0, is_known ? pair.residual / largest : nan});
  }
  levels.resize(static_cast<std::size_t>(wanted_), {nan, false, nan});
  return levels;
}

RowAverages StripSpectrum::averages() {
  RowModel without;
  without.sites = model_.sites;
  const auto one = std::make_shared<const RowWeights>(space_->device(), without, bits_);
  TransferMatrix X(*space_, bits_, weights_, one, model_.K_next);
  Vector& z = lanczos_.work();
  X.multiply(lanczos_.vector(0), 1 / lanczos_.pairs().front().value, z);
  return row_averages(*space_, lanczos_.vector(0), z, model_, bits_, *weights_);
}

double StripSpectrum::bytes(const RowModel& model, Sector sector, const LanczosSettings& settings,
                            int ranks) {
  const SiteBits bits(model, sector);
  const bool is_shared = ranks > 1 && VectorSpace::can_share(bits.states(), ranks);
  // A rank also holds numbers of another rank.
  const double vectors = Lanczos::bytes(bits.states(), completed(settings, sector)) +
                         (is_shared ? 2 * 8 * static_cast<double>(bits.states()) : 0);
  return vectors / (is_shared ? ranks : 1) + 2 * RowWeights::bytes(bits);
}

StripProduct::StripProduct(const Device& device, const RowModel& all, const RowModel& first)
    : bits_(all, Sector::all),
      space_(device, bits_.states()),
      last_(std::make_shared<const RowWeights>(device, first, bits_)),
      v_(device, bits_.states()),
      next_(device, bits_.states()) {
  fill_weights(v_, last_->view());
  ln_scale_ = last_->ln_bound() / 2;
}

void StripProduct::add(const RowModel& row, const std::vector<double>& K_next) {
  const auto weights = std::make_shared<const RowWeights>(v_.device(), row, bits_);
  TransferMatrix matrix(space_, bits_, last_, weights, K_next);
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

double StripProduct::bytes(const RowModel& all) {
  const SiteBits bits(all, Sector::all);
  return 3 * 8 * static_cast<double>(bits.states()) + 2 * RowWeights::bytes(bits);
}

LyapunovExponents::LyapunovExponents(const Device& device, const RowModel& all,
                                     const RowModel& first, Sector sector, Index count)
    : bits_(all, sector),
      space_(device, bits_.states()),
      last_(std::make_shared<const RowWeights>(device, first, bits_)),
      next_(space_.vector()),
      ln_growth_(static_cast<std::size_t>(count)) {
  for (Index n = 0; n < count; ++n) {
    v_.push_back(space_.vector());
    randomise(space_, v_.back(), {1, static_cast<std::uint64_t>(n), Stream::lanczos});
  }
  orthonormalise();
}

std::vector<double> LyapunovExponents::orthonormalise() {
  std::vector<double> ln_length;
  std::vector<const Vector*> before;
  for (Vector& v : v_) {
    // The second time removes the rounding errors of the first one.
    for (int again = 0; again < 2; ++again) subtract(v, dots(space_, v, before), before);
    const double length = std::sqrt(square(space_, v));
    scale(v, 1 / length);
    ln_length.push_back(std::log(length));
    before.push_back(&v);
  }
  return ln_length;
}

void LyapunovExponents::add(const RowModel& row, const std::vector<double>& K_next) {
  const auto weights = std::make_shared<const RowWeights>(space_.device(), row, bits_);
  TransferMatrix matrix(space_, bits_, last_, weights, K_next);
  for (Vector& v : v_) {
    matrix.multiply(v, next_);
    std::swap(v, next_);
  }
  const std::vector<double> ln_length = orthonormalise();
  for (std::size_t n = 0; n < ln_growth_.size(); ++n)
    ln_growth_[n] += ln_length[n] + matrix.ln_scale();
  ++rows_;
  last_ = weights;
}

std::vector<double> LyapunovExponents::values() const {
  std::vector<double> values;
  for (const double growth : ln_growth_) values.push_back(growth / static_cast<double>(rows_));
  return values;
}

double LyapunovExponents::bytes(const RowModel& all, Sector sector, Index count) {
  const SiteBits bits(all, sector);
  return 8 * static_cast<double>(bits.states()) * static_cast<double>(count + 1) +
         2 * RowWeights::bytes(bits);
}

}  // namespace larmor::transfer
