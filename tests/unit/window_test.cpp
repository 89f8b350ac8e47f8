// Windows of the time lags, the transform from lags to frequencies, and the position of a line.
// Rooms: correlations

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"
#include "tests/spectrum_peak.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using testing_support::fit_peak;
using Complex = std::complex<double>;

constexpr Window all_windows[] = {Window::none, Window::hann, Window::hamming, Window::blackman,
                                  Window::gaussian};

/// Irregular lags that are equal in every run. Lag 0 is real, as it is for a correlation.
std::vector<Complex> rough_lags(Index count) {
  std::vector<Complex> lags;
  for (Index l = 0; l < count; ++l) {
    const auto x = static_cast<double>(l);
    lags.push_back({std::cos(7.3 * x * x) + 0.2, l == 0 ? 0 : std::sin(5.1 * x * x + 1)});
  }
  return lags;
}

/// Lags of a single line at `frequency`: S(t) = exp(-i w t).
std::vector<Complex> line_lags(Index count, double interval, double frequency) {
  std::vector<Complex> lags;
  for (Index l = 0; l < count; ++l)
    lags.push_back(std::polar(1.0, -frequency * interval * static_cast<double>(l)));
  return lags;
}

TEST(Window, IsOneAtLagZeroAndFallsFromThere) {
  for (const Window window : all_windows) {
    const std::vector<double> w = window_weights(window, 50);
    ASSERT_EQ(w.size(), 50u);
    EXPECT_NEAR(w[0], 1, 1e-15);
    for (std::size_t l = 1; l < w.size(); ++l) {
      EXPECT_GE(w[l], 0);
      if (window == Window::none) {
        EXPECT_EQ(w[l], 1);
      } else {
        EXPECT_LT(w[l], w[l - 1]);
      }
    }
  }
}

TEST(Window, HasItsTextbookValues) {
  // At half of the lags, every cosine of pi x vanishes, and cos 2 pi x is -1.
  EXPECT_NEAR(window_weights(Window::hann, 100)[50], 0.5, 1e-14);
  EXPECT_NEAR(window_weights(Window::hamming, 100)[50], 0.54, 1e-14);
  EXPECT_NEAR(window_weights(Window::blackman, 100)[50], 0.34, 1e-14);
  EXPECT_NEAR(window_weights(Window::gaussian, 100)[40], std::exp(-0.5), 1e-14);
  EXPECT_NEAR(window_weights(Window::gaussian, 100, 0.2)[40], std::exp(-2.0), 1e-14);
  // The weights at the first lag outside the window are 0, 0.08, 0 and exp(-3.125).
  EXPECT_NEAR(window_weights(Window::hann, 1000)[999], 0, 1e-5);
  EXPECT_NEAR(window_weights(Window::hamming, 1000)[999], 0.08, 1e-5);
  EXPECT_NEAR(window_weights(Window::blackman, 1000)[999], 0, 1e-5);
  EXPECT_NEAR(window_weights(Window::gaussian, 1000)[999], std::exp(-3.125), 1e-3);
}

TEST(Window, HasLinesOfTheWidthThatConventionsGive) {
  constexpr Index T = 2000;
  const double widths[] = {0.60, 1.00, 0.91, 1.15, 0.96};  // for all_windows, in 2 pi / (T dt)
  for (std::size_t i = 0; i < 5; ++i) {
    const std::vector<double> w = window_weights(all_windows[i], T);
    const auto line = [&](double turns) {  // at w = turns 2 pi / (T dt) from its middle
      double sum = w[0];
      for (Index l = 1; l < T; ++l)
        sum += 2 * w[static_cast<std::size_t>(l)] *
               std::cos(2 * std::numbers::pi * turns * static_cast<double>(l) / T);
      return sum;
    };
    EXPECT_GT(line(widths[i] / 2 - 0.005), line(0) / 2);
    EXPECT_LT(line(widths[i] / 2 + 0.005), line(0) / 2);
  }
}

TEST(Window, IsFoundByName) {
  const char* names[] = {"none", "hann", "hamming", "blackman", "gaussian"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(window_by_name(names[i]), all_windows[i]);
  for (const char* wrong : {"", "Hann", "hanning", "boxcar"})
    EXPECT_THROW(window_by_name(wrong), InputError) << wrong;
}

TEST(LagsToFrequencies, EqualsTheSumOverBothSigns) {
  for (const Index T : {1, 2, 7, 32}) {
    const double dt = 0.3;
    const std::vector<double> w = window_weights(Window::hamming, T);
    const std::vector<Complex> lags = rough_lags(T);
    const LagsToFrequencies transform(w, dt);
    const std::vector<double> spectrum = transform(lags), frequency = transform.frequencies();
    ASSERT_EQ(spectrum.size(), static_cast<std::size_t>(2 * T - 1));
    ASSERT_EQ(frequency.size(), spectrum.size());
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
      // The transform is dt [ s(0) + 2 Re sum_{t > 0} w(t) s(t) exp(i w t) ].
      double sum = lags[0].real();
      for (std::size_t l = 1; l < lags.size(); ++l)
        sum +=
            2 *
            (w[l] * lags[l] * std::polar(1.0, frequency[k] * dt * static_cast<double>(l))).real();
      EXPECT_NEAR(spectrum[k], dt * sum, 1e-12);
    }
  }
}

TEST(LagsToFrequencies, AxisIsAscendingAndEvenAboutZero) {
  const Index T = 9;
  const double dt = 0.25;
  const std::vector<double> w =
      LagsToFrequencies(window_weights(Window::none, T), dt).frequencies();
  EXPECT_EQ(w[8], 0);
  for (std::size_t k = 0; k < w.size(); ++k) {
    EXPECT_NEAR(w[k], 2 * std::numbers::pi * (static_cast<double>(k) - 8) / (17 * dt), 1e-13);
    EXPECT_EQ(w[k], -w[w.size() - 1 - k]);
  }
}

TEST(LagsToFrequencies, FrequenciesSumToTheEqualTimeValueUnderEveryWindow) {
  const Index T = 40;
  const double dt = 0.17;
  for (const Window window : all_windows) {
    const std::vector<Complex> lags = rough_lags(T);
    double sum = 0;
    for (const double s : LagsToFrequencies(window_weights(window, T), dt)(lags)) sum += s;
    EXPECT_NEAR(sum / (static_cast<double>(2 * T - 1) * dt), lags[0].real(), 1e-12);
  }
}

TEST(Autocorrelation, EqualsTheMeanOverAllOrigins) {
  for (const Index T : {1, 2, 5, 31}) {
    const std::vector<Complex> x = rough_lags(T);
    const std::vector<Complex> lags = Autocorrelation(T)(x);
    ASSERT_EQ(lags.size(), x.size());
    for (std::size_t l = 0; l < x.size(); ++l) {
      Complex sum = 0;
      for (std::size_t s = 0; s + l < x.size(); ++s) sum += x[s + l] * std::conj(x[s]);
      EXPECT_LT(std::abs(lags[l] - sum / static_cast<double>(x.size() - l)), 1e-13);
    }
  }
}

TEST(Peak, OfAHannWindowedLineIsFoundWithinAFractionOfABin) {
  const Index T = 200;
  const double dt = 0.1;
  const LagsToFrequencies transform(window_weights(Window::hann, T), dt);
  const std::vector<double> frequency = transform.frequencies();
  const double bin = frequency[1] - frequency[0];
  for (const double near : {-12.0, -0.6, 3.0, 20.0}) {
    for (double shift = -0.5; shift <= 0.5; shift += 0.0625) {
      const double line = (std::round(near / bin) + shift) * bin;
      const double found = fit_peak(frequency, transform(line_lags(T, dt, line)));
      EXPECT_NEAR(found, line, 0.05 * bin);
    }
  }
}

TEST(Peak, OfAGaussianIsExact) {
  std::vector<double> frequency, intensity;
  for (int k = 0; k < 20; ++k) {
    frequency.push_back(-3 + 0.5 * k);
    intensity.push_back(5 * std::exp(-std::pow(frequency.back() - 1.13, 2)));
  }
  EXPECT_NEAR(fit_peak(frequency, intensity), 1.13, 1e-12);
}

TEST(Peak, AtTheEdgeOrWithoutNeighboursIsTheGridPoint) {
  const std::vector<double> frequency{0, 1, 2, 3};
  EXPECT_EQ(fit_peak(frequency, std::vector<double>{4, 3, 2, 1}), 0);
  EXPECT_EQ(fit_peak(frequency, std::vector<double>{1, 2, 3, 4}), 3);
  EXPECT_EQ(fit_peak(frequency, std::vector<double>{0, 0, 7, 0}), 2);
  // Near a line, a window may leave intensities slightly below zero.
  EXPECT_EQ(fit_peak(frequency, std::vector<double>{-0.1, 5, -0.1, 0}), 1);
  EXPECT_EQ(fit_peak(frequency, std::vector<double>{0, 0, 0, 0}), 0);
}

TEST(Peak, NeedsThreePointsAndTwoEqualLengths) {
  const std::vector<double> two{0, 1}, three{0, 1, 2};
  EXPECT_THROW(fit_peak(two, two), std::logic_error);
  EXPECT_THROW(fit_peak(three, two), std::logic_error);
}

}  // namespace
