#pragma once
// Running averages of cumulants.SIMID.out. UppASD gives the n-th sample the weight n, counted over
// ensembles and steps.

namespace larmor::imports::uppasd {

/// UppASD's constants (CODATA 2014), SI.
inline constexpr double k_B_SI = 1.38064852e-23, mu_B_SI = 9.274009994e-24,
                        mRy_SI = 2.179872325e-21;

class Cumulants {
 public:
  /// The size of the magnetisation of an ensemble, its energy, and that of its exchange.
  void add(double M, double energy, double exchange) {
    weight_ += 1;
    const double before = all_;
    all_ += weight_;
    const auto blend = [&](double& average, double value) {
      average = (average * before + value * weight_) / all_;
    };
    blend(M_, M);
    blend(M2_, M * M);
    blend(M4_, M * M * M * M);
    blend(E_, energy);
    blend(E2_, energy * energy);
    blend(exchange_, exchange);
  }

  // In mu_B and mRy per atom.
  double M() const { return M_; }
  double M2() const { return M2_; }
  double M4() const { return M4_; }
  double energy() const { return E_; }
  double exchange() const { return exchange_; }
  double binder() const { return 1 - M4_ / 3 / (M2_ * M2_); }
  // UppASD has these definitions. At temperature 0 the specific heat is 0.
  double susceptibility(double temperature, double atoms, bool reduced) const {
    const double mu_B = reduced ? 1 : mu_B_SI, k_B = reduced ? 1 : k_B_SI;
    const double fluctuation = (M2_ - M_ * M_) * mu_B * mu_B * atoms;
    return temperature > 0 ? fluctuation / (k_B * k_B) / temperature : fluctuation / k_B;
  }
  double specific_heat(double temperature, double atoms, bool reduced) const {
    const double mRy = reduced ? 1 : mRy_SI, k_B = reduced ? 1 : k_B_SI;
    if (temperature <= 0) return 0;
    return (E2_ - E_ * E_) * mRy * mRy * atoms / (k_B * k_B) / (temperature * temperature);
  }

 private:
  double weight_ = 0, all_ = 0;
  double M_ = 0, M2_ = 0, M4_ = 0, E_ = 0, E2_ = 0, exchange_ = 0;
};

}  // namespace larmor::imports::uppasd
