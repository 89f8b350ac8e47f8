#include "larmor/imports/uppasd/spectrum_output.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "larmor/core/fft/plans.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"
#include "larmor/imports/uppasd/fortran_text.hpp"

namespace larmor::imports::uppasd {
namespace {

using Complex = std::complex<double>;
/// Radians of a whole turn.
constexpr double whole_turn = 2 * std::numbers::pi;

/// UppASD's windows of `count` samples.
std::vector<double> window_of_samples(Index window, Index count) {
  std::vector<double> weights(static_cast<std::size_t>(count), 1);
  for (Index t = 0; t < count && count > 1; ++t) {
    const double x = whole_turn * static_cast<double>(t) / static_cast<double>(count - 1);
    double& weight = weights[static_cast<std::size_t>(t)];
    if (window == 2) weight = 0.5 - 0.5 * std::cos(x);
    if (window == 3) weight = 0.54 - 0.46 * std::cos(x);
    if (window == 4)
      weight =
          0.35785 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
  }
  return weights;
}

/// Turns S(q,w) of the results into UppASD's numbers.
class Periodogram {
 public:
  Periodogram(const io::ResultsReader& results, const SpectrumSettings& settings, Index steps)
      : times_(results.shape(settings.group + "/time").require(1)[0]),
        settings_(settings),
        frequencies_(settings.samples > 0 ? settings.samples : std::max<Index>(1, times_ - 1)),
        samples_(samples_within(steps)),
        points_(2 * times_ - 1),
        spectrum_(static_cast<std::size_t>(points_)),
        folded_(static_cast<std::size_t>(frequencies_)),
        to_lags_(points_, 1, FftDirection::forward, FftMemory::any),
        to_frequencies_(frequencies_, 1, FftDirection::forward, FftMemory::any) {
    const auto time = results.read<double>(settings.group + "/time");
    interval_ = time.size() > 1 ? time[1] - time[0] : 1;
    for (const double w : results.read<double>(settings.group + "/frequency")) {
      const auto k = static_cast<Index>(
          std::llround(w * static_cast<double>(points_) * interval_ / whole_turn));
      places_.push_back(static_cast<std::size_t>((k % points_ + points_) % points_));
    }
    const io::Attributes attributes = results.attributes(settings.group);
    const double width = attributes.contains("window_width")
                             ? attributes.at("window_width").number()
                             : correlations::gaussian_width;
    const std::vector<double> of_results = correlations::window_weights(
        correlations::window_by_name(attributes.at("window").text()), times_, width);
    const std::vector<double> w = window_of_samples(settings.window, frequencies_ + 1);
    for (Index l = 0; l < samples_; ++l) {
      double pairs = 0;
      for (Index t = 0; t + l < samples_; ++t)
        pairs += w[static_cast<std::size_t>(t)] * w[static_cast<std::size_t>(t + l)];
      weights_.push_back(pairs / of_results[static_cast<std::size_t>(l)] /
                         (static_cast<double>(points_) * interval_));
    }
  }

  /// Numbers of the first half of the frequencies, at least one.
  Index printed() const { return std::max<Index>(frequencies_ / 2, 1); }
  /// Angular frequency of a number, in units of 1 / (step of the dynamics).
  double frequency(Index number) const {
    return whole_turn * static_cast<double>(number) /
           static_cast<double>(frequencies_ * settings_.every);
  }
  /// Samples of UppASD, which leaves out the first step.
  Index samples() const { return samples_; }

  /// @param S [places], distance `stride` between numbers @param power [printed()]
  void operator()(const double* S, std::size_t stride, double* power) {
    std::ranges::fill(spectrum_, 0);
    for (std::size_t k = 0; k < places_.size(); ++k) spectrum_[places_[k]] = S[k * stride];
    to_lags_(spectrum_.data());
    std::ranges::fill(folded_, 0);
    for (Index l = 0; l < samples_; ++l) {
      const Complex C =
          weights_[static_cast<std::size_t>(l)] * spectrum_[static_cast<std::size_t>(l)];
      folded_[static_cast<std::size_t>(l % frequencies_)] += C;
      if (l > 0)
        folded_[static_cast<std::size_t>((frequencies_ - l % frequencies_) % frequencies_)] +=
            std::conj(C);
    }
    to_frequencies_(folded_.data());
    for (Index j = 0; j < printed(); ++j)
      power[j] = std::abs(folded_[static_cast<std::size_t>(j)].real());
  }

 private:
  Index samples_within(Index steps) const {
    const Index taken = settings_.every > 1 ? (steps - 2) / settings_.every + 1 : times_;
    return std::clamp<Index>(std::min(taken, frequencies_ + 1), 1, times_);
  }

  Index times_;
  const SpectrumSettings& settings_;
  Index frequencies_, samples_, points_;
  double interval_ = 1;
  std::vector<std::size_t> places_;
  std::vector<double> weights_;  ///< [samples]
  std::vector<Complex> spectrum_, folded_;
  LineFft to_lags_, to_frequencies_;
};

}  // namespace

std::vector<PrintedWaveVector> printed_wave_vectors(const WaveVectors& points,
                                                    const lattice::Geometry& geometry) {
  const std::array<Vec3<double>, 3>& a = geometry.crystal.cell;
  const double volume = dot(a[0], cross(a[1], a[2]));
  const std::array<Vec3<double>, 3> b{(1 / volume) * cross(a[1], a[2]),
                                      (1 / volume) * cross(a[2], a[0]),
                                      (1 / volume) * cross(a[0], a[1])};
  const auto cartesian = [&](const Vec3<double>& q) {
    return q.x * b[0] + q.y * b[1] + q.z * b[2];
  };
  std::vector<PrintedWaveVector> printed;
  if (!points.grid) {
    for (std::size_t n = 0; n < points.q.size(); ++n)
      printed.push_back({cartesian(points.q[n]), static_cast<Index>(n)});
    return printed;
  }
  const std::array<Index, 3>& size = geometry.size;
  const auto wrapped = [&](Index n, std::size_t d) { return (n + size[d]) % size[d]; };
  // Results have q from 0 to 1, and UppASD has it around 0. In crystals of several atoms a cell, S
  // differs between the two.
  const bool folds = geometry.crystal.basis.size() == 1;
  const auto component = [&](Index n, std::size_t d) {
    return static_cast<double>(folds ? n : wrapped(n, d)) / static_cast<double>(size[d]);
  };
  for (Index z = -((size[2] - 1) / 2); z <= size[2] / 2; ++z)
    for (Index y = -((size[1] - 1) / 2); y <= size[1] / 2; ++y)
      for (Index x = -((size[0] - 1) / 2); x <= size[0] / 2; ++x)
        printed.push_back({cartesian({component(x, 0), component(y, 1), component(z, 2)}),
                           wrapped(x, 0) + size[0] * (wrapped(y, 1) + size[1] * wrapped(z, 2))});
  return printed;
}

void write_spectrum(io::WholeFile& file, const MeasurementPhase& phase,
                    const std::vector<PrintedWaveVector>& points,
                    const SpectrumSettings& settings) {
  const io::ResultsReader& results = phase.results();
  Periodogram periodogram(results, settings, phase.steps());
  const std::string path = settings.group + "/components";
  const auto shape = results.shape(path).require(3);
  const Index numbers = shape[1] * 3;
  const double n = static_cast<double>(periodogram.samples() - 1) / 2;
  const double norm = settings.moment * settings.moment * static_cast<double>(phase.replicas()) /
                      static_cast<double>(settings.atoms) / (n > 0 ? n * n : 1);
  const double step = 1 / phase.timestep();
  file.write(
      settings.in_time
          ? "#    iq    q_x        q_y      q_x             w(Hz)             |S_xx|          "
            "|S_yy|          |S_zz|         |S|      \n"
          : "#    iq    q_x        q_y      q_x        qw           |S_xx|          "
            "|S_yy|          |S_zz|         |S|      \n");
  const auto printed = static_cast<std::size_t>(periodogram.printed());
  std::vector<double> power(3 * printed);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto S = results.read_rows<double>(path, points[i].number, 1)
                       .require(static_cast<std::size_t>(numbers));
    for (std::size_t a = 0; a < 3; ++a) periodogram(S.data() + a, 3, power.data() + a * printed);
    std::string head = i_text(static_cast<Index>(i) + 1, 7);
    for (const double q : {points[i].q.x, points[i].q.y, points[i].q.z}) head += f_text(q, 10, 6);
    for (std::size_t j = 0; j < printed; ++j) {
      const auto number = static_cast<Index>(j);
      std::string row = head + "  ";
      row +=
          settings.in_time ? es_text(periodogram.frequency(number) * step) : i_text(number + 1, 7);
      row += "  ";
      double squares = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const double S_aa = norm * power[a * printed + j];
        squares += S_aa * S_aa;
        row += es_text(S_aa);
      }
      file.write(row + es_text(std::sqrt(squares)) + "\n");
    }
  }
}

}  // namespace larmor::imports::uppasd
