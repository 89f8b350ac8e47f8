#include "larmor/correlations/spectra/lagged_products.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"

namespace larmor::correlations {
namespace {

using Complex = std::complex<double>;
using Lags = LaggedProductsOfQ::Lags;

/// BITS: largest number of blocks. An error that is estimated from so many blocks has a relative
/// uncertainty of about one tenth.
constexpr Index most_blocks = 64;

/// BITS: limits of the default number of origins. They are equal on all machines.
constexpr double most_bytes_of_all_origins = 256 << 20;
constexpr Index most_chosen_origins = 16;

/// Count of the numbers that are kept for each sample.
Index numbers_of_sample(const LaggedProductsSettings& settings) {
  return settings.waves *
         (settings.all_origins ? 6 * settings.replicas : 2 * (settings.blocks() + 3));
}
/// Count of the numbers that are kept only once: amplitudes of the origins and sums over all
/// samples.
Index head_numbers(const LaggedProductsSettings& settings) {
  if (settings.all_origins) return 0;
  return settings.waves * (6 * settings.replicas * settings.origins + settings.blocks());
}

/// Amplitudes of one sample, (q, replica, component).
class Sample {
 public:
  Sample(std::span<const double> amplitude, Index replicas)
      : amplitude_(amplitude), replicas_(replicas) {}
  Complex amplitude(Index q, Index replica, Index component) const {
    const auto n = static_cast<std::size_t>(((q * replicas_ + replica) * 3 + component) * 2);
    return {amplitude_[n], amplitude_[n + 1]};
  }
  /// The mean over replicas if correlations are connected; otherwise zeros.
  std::array<Complex, 3> mean(Index q, bool connected) const {
    std::array<Complex, 3> mean{};
    if (!connected) return mean;
    for (Index m = 0; m < replicas_; ++m)
      for (std::size_t a = 0; a < 3; ++a) mean[a] += amplitude(q, m, static_cast<Index>(a));
    for (Complex& component : mean) component /= static_cast<double>(replicas_);
    return mean;
  }

 private:
  std::span<const double> amplitude_;
  Index replicas_;
};

/// Computes products with some origins as samples arrive. The first sample is one of the origins.
class SomeOrigins : public LaggedProducts {
 public:
  explicit SomeOrigins(const LaggedProductsSettings& settings) : settings_(settings) {
    origin_.resize(static_cast<std::size_t>(settings.origins * amplitudes()));
    product_.resize(static_cast<std::size_t>(settings.samples * per_sample()));
    equal_time_.resize(static_cast<std::size_t>(settings.waves * settings.blocks()));
  }

  void add(std::span<const double> amplitude, int threads) override {
    const Sample sample(amplitude, settings_.replicas);
    parallel_for(threads, settings_.waves, [&](Index q) { add_q(q, sample); });
    ++samples_;
  }
  Index samples() const override { return samples_; }

  LaggedProductsOfQ products_of(Index q) const override {
    const Index B = settings_.blocks();
    LaggedProductsOfQ products;
    for (Index b = 0; b < B; ++b) {
      products.of_block.push_back(averaged(q, b));
      products.equal_time.push_back(equal_time_[static_cast<std::size_t>(q * B + b)]);
    }
    for (std::size_t a = 0; a < 3; ++a)
      products.of_component[a] = averaged(q, B + static_cast<Index>(a));
    return products;
  }

  std::vector<double> save() const override {
    const auto used = static_cast<std::size_t>(samples_ * per_sample());
    std::vector<double> saved;
    if (samples_ == 0) return saved;
    saved.reserve(2 * (origin_.size() + used) + equal_time_.size());
    const auto* origin = reinterpret_cast<const double*>(origin_.data());
    saved.insert(saved.end(), origin, origin + 2 * origin_.size());
    saved.insert(saved.end(), equal_time_.begin(), equal_time_.end());
    const auto* product = reinterpret_cast<const double*>(product_.data());
    saved.insert(saved.end(), product, product + 2 * used);
    return saved;
  }

  void load(std::span<const double> saved) override {
    samples_ = lagged_samples(settings_, saved.size());
    if (samples_ == 0) return;
    const auto after_origins = saved.begin() + 2 * std::ssize(origin_);
    const auto after_head = after_origins + std::ssize(equal_time_);
    std::copy(saved.begin(), after_origins, reinterpret_cast<double*>(origin_.data()));
    std::copy(after_origins, after_head, equal_time_.begin());
    std::copy(after_head, saved.end(), reinterpret_cast<double*>(product_.data()));
  }

 private:
  /// Amplitudes of one origin.
  Index amplitudes() const { return settings_.waves * settings_.replicas * 3; }
  /// Columns of a wave vector: the blocks, then the components.
  Index columns() const { return settings_.blocks() + 3; }
  Index per_sample() const { return settings_.waves * columns(); }
  std::size_t place(Index sample, Index q, Index column) const {
    return static_cast<std::size_t>(sample * per_sample() + q * columns() + column);
  }

  /// The weighted mean of the products over origins, for each lag.
  Lags averaged(Index q, Index column) const {
    Lags lags;
    for (Index lag = 0; lag < samples_; ++lag) {
      double weights = 0;
      for (Index origin = 0; origin < settings_.origins; ++origin)
        weights += settings_.origin_weight(origin, lag);
      lags.push_back(product_[place(lag, q, column)] / weights);
    }
    return lags;
  }

  void add_q(Index q, const Sample& sample) {
    const std::array<Complex, 3> mean = sample.mean(q, settings_.connected);
    for (Index origin = 0; origin < settings_.origins; ++origin) {
      const Index lag = samples_ - origin * settings_.origin_spacing();
      if (lag < 0) break;
      add_products(q, sample, mean, origin, lag);
    }
    const Index B = settings_.blocks();
    for (Index b = 0; b < B; ++b) {
      const Index begin = settings_.first_of_block(b), end = settings_.first_of_block(b + 1);
      double& equal_time = equal_time_[static_cast<std::size_t>(q * B + b)];
      if (samples_ == 0) equal_time = 0;
      for (Index m = begin; m < end; ++m)
        for (std::size_t a = 0; a < 3; ++a)
          equal_time += std::norm(sample.amplitude(q, m, static_cast<Index>(a)) - mean[a]) /
                        static_cast<double>(settings_.samples);
    }
  }

  /// Adds the product of the sample with an origin that is `lag` samples earlier. If the lag is 0,
  /// the sample becomes the origin.
  void add_products(Index q, const Sample& sample, const std::array<Complex, 3>& mean, Index origin,
                    Index lag) {
    const Index B = settings_.blocks();
    const double weight = settings_.origin_weight(origin, lag);
    std::array<Complex, 3> of_component{};
    // The first origin reaches each lag before all other origins do. Its product therefore
    // overwrites the total.
    const auto add = [&](Index column, Complex sum) {
      Complex& total = product_[place(lag, q, column)];
      total = origin == 0 ? weight * sum : total + weight * sum;
    };
    for (Index b = 0; b < B; ++b) {
      Complex sum = 0;
      for (Index m = settings_.first_of_block(b); m < settings_.first_of_block(b + 1); ++m)
        for (std::size_t a = 0; a < 3; ++a) {
          const auto component = static_cast<Index>(a);
          const Complex d = sample.amplitude(q, m, component) - mean[a];
          Complex& first = origin_[static_cast<std::size_t>(
              origin * amplitudes() + (q * settings_.replicas + m) * 3 + component)];
          if (lag == 0) first = d;
          const Complex product = d * std::conj(first);
          sum += product;
          of_component[a] += product;
        }
      add(b, sum);
    }
    for (std::size_t a = 0; a < 3; ++a) add(B + static_cast<Index>(a), of_component[a]);
  }

  LaggedProductsSettings settings_;
  Index samples_ = 0;
  std::vector<Complex> origin_;     ///< amplitudes minus their means, (origin, q, replica, 3)
  std::vector<Complex> product_;    ///< (sample, q, block or component)
  std::vector<double> equal_time_;  ///< (q, block)
};

/// Keeps all amplitudes and correlates them at the end.
class AllOrigins : public LaggedProducts {
 public:
  explicit AllOrigins(const LaggedProductsSettings& settings)
      : settings_(settings), autocorrelation_(settings.samples) {
    amplitude_.resize(static_cast<std::size_t>(settings.samples * per_sample()));
  }

  void add(std::span<const double> amplitude, int) override {
    std::copy(amplitude.begin(), amplitude.end(), amplitude_.begin() + samples_ * per_sample());
    ++samples_;
  }
  Index samples() const override { return samples_; }

  LaggedProductsOfQ products_of(Index q) const override {
    const auto T = static_cast<std::size_t>(samples_);
    const Index B = settings_.blocks();
    LaggedProductsOfQ products;
    products.of_block.assign(static_cast<std::size_t>(B), Lags(T));
    products.of_component.fill(Lags(T));
    products.equal_time.assign(static_cast<std::size_t>(B), 0.0);
    std::vector<std::array<Complex, 3>> mean;
    for (Index t = 0; t < samples_; ++t) mean.push_back(sample(t).mean(q, settings_.connected));
    std::vector<Complex> d(T);
    for (Index b = 0; b < B; ++b) {
      const auto block = static_cast<std::size_t>(b);
      for (Index m = settings_.first_of_block(b); m < settings_.first_of_block(b + 1); ++m)
        for (std::size_t a = 0; a < 3; ++a) {
          for (std::size_t t = 0; t < T; ++t)
            d[t] =
                sample(static_cast<Index>(t)).amplitude(q, m, static_cast<Index>(a)) - mean[t][a];
          const Lags lagged = autocorrelation_(d);
          for (std::size_t t = 0; t < T; ++t) {
            products.of_block[block][t] += lagged[t];
            products.of_component[a][t] += lagged[t];
            products.equal_time[block] += std::norm(d[t]) / static_cast<double>(T);
          }
        }
    }
    return products;
  }

  std::vector<double> save() const override {
    return {amplitude_.begin(), amplitude_.begin() + samples_ * per_sample()};
  }

  void load(std::span<const double> saved) override {
    samples_ = lagged_samples(settings_, saved.size());
    std::copy(saved.begin(), saved.end(), amplitude_.begin());
  }

 private:
  Index per_sample() const { return settings_.waves * settings_.replicas * 6; }
  Sample sample(Index t) const {
    return {std::span(amplitude_)
                .subspan(static_cast<std::size_t>(t * per_sample()),
                         static_cast<std::size_t>(per_sample())),
            settings_.replicas};
  }

  LaggedProductsSettings settings_;
  Autocorrelation autocorrelation_;
  Index samples_ = 0;
  std::vector<double> amplitude_;  ///< (sample, q, replica, 3, re im)
};

}  // namespace

Index LaggedProductsSettings::blocks() const { return std::min(replicas, most_blocks); }

LaggedProductsSettings with_cheap_origins(LaggedProductsSettings settings) {
  settings.all_origins = true;
  if (lagged_products_bytes(settings) < most_bytes_of_all_origins) return settings;
  settings.all_origins = false;
  // An origin takes 48 M bytes, and a sample takes 16 (B + 3) bytes, with M replicas and B blocks.
  const Index half = (settings.blocks() + 3) * settings.samples / (6 * settings.replicas);
  settings.origins = std::min({most_chosen_origins, settings.samples, 1 + half});
  return settings;
}

std::unique_ptr<LaggedProducts> make_lagged_products(const LaggedProductsSettings& settings) {
  if (settings.all_origins) return std::make_unique<AllOrigins>(settings);
  return std::make_unique<SomeOrigins>(settings);
}

Index lagged_samples(const LaggedProductsSettings& settings, std::size_t numbers) {
  const auto saved = static_cast<Index>(numbers);
  const Index head = head_numbers(settings), each = numbers_of_sample(settings);
  if (saved == 0) return 0;
  if (saved < head + each || (saved - head) % each != 0 || saved - head > settings.samples * each)
    throw InputError("the checkpoint's correlations do not fit the study",
                     "resume the results to which this checkpoint belongs");
  return (saved - head) / each;
}

double lagged_products_bytes(const LaggedProductsSettings& settings) {
  const auto of_samples =
      static_cast<double>(settings.samples) * static_cast<double>(numbers_of_sample(settings));
  return 8 * (of_samples + static_cast<double>(head_numbers(settings)));
}

}  // namespace larmor::correlations
