#pragma once
// Moments of the order parameter, and on grids the correlation length from its longest modulation.

#include <memory>

#include "larmor/ising/measures/grid_sums.hpp"
#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

/// <m^2> and <m^4>. For Ising spins m is the mean of the spins. For Potts states m is the length of
/// the vector of order_of(tables).
class OrderMoments : public SeriesMeasurement {
 public:
  static constexpr const char* name = "magnetisation-moments";
  static constexpr const char* doc = "<m^2> and <m^4>";

  OrderMoments(const MeasureContext& context, const SourcePosition&)
      : OrderMoments(name, context) {}

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  std::vector<Pending> begin(const Simulation& simulation) override;
  std::vector<std::vector<double>> finish(const Simulation& simulation,
                                          std::vector<std::vector<double>> numbers) const override;

 protected:
  OrderMoments(const char* name, const MeasureContext& context)
      : SeriesMeasurement(name, Value(name), std::nullopt, context) {}
  Index numbers(const Sizing& sizing) const override;
  /// m^2, m^4, then S(k_min) along each of the axes.
  std::vector<Observable> observables(const Simulation& simulation) const override;
  /// Writes correlation lengths along the axes.
  void write_derived(const Simulation& simulation, const MeasuredSeries& series,
                     ResultsGroup& results) const override;
  bool derives_from_series() const override { return true; }
  /// Axes along which S(k) is measured.
  virtual std::vector<std::size_t> modulated(const Simulation&) const { return {}; }

 private:
  std::unique_ptr<ising::GridSums> sums_;
  std::vector<std::size_t> axes_;
};

/// <m^2> and <m^4>, and along every periodic axis of a grid S(k) = |sum_i s_i exp(i k x_i)|^2 / N
/// with k = 2 pi / L, and the second-moment correlation length
///
///     xi = sqrt(N <m^2> / <S(k)> - 1) / (2 sin(k / 2)) .
///
/// S(k) has a series, structure_factor_x, from which reweighting computes xi at other temperatures.
/// Source: F. Cooper, B. Freedman and D. Preston, Nucl. Phys. B 210, 210 (1982).
class CorrelationLength : public OrderMoments {
 public:
  static constexpr const char* name = "correlation-length";
  static constexpr const char* doc =
      "second-moment correlation length and S(2 pi / L) along every periodic axis of a grid, where "
      "L is the length of this axis; also <m^2> and <m^4>";

  CorrelationLength(const MeasureContext& context, SourcePosition where)
      : OrderMoments(name, context), where_(std::move(where)) {}

  /// @throws InputError if the sites are not a grid, or nothing is periodic
  void validate(const Sizing& sizing) const override;

 protected:
  std::vector<std::size_t> modulated(const Simulation& simulation) const override;

 private:
  SourcePosition where_;
};

}  // namespace larmor::study
