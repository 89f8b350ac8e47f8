#pragma once
// Line search along a direction: each trial length follows from energies and slopes at earlier
// lengths.
//
// A length is good under one of two conditions. Either the energy has fallen by a fraction of the
// decrease predicted by the slope (Armijo). Or the energy is equal within rounding, and the slope
// has not turned up too much. For a parabola both conditions are equivalent, and the second is
// robust against rounding (Hager and Zhang, SIAM J. Optim. 16 (2005) 170).

#include <span>
#include <vector>

namespace larmor {

class LineSearch {
 public:
  enum class Verdict {
    accept,  ///< the trial is good
    again,   ///< try `length()` next
    stuck    ///< even the shortest step raises the energy
  };

  /// @param flattest largest ratio, in size, of the slope of a good trial to the first slope. This
  /// limit does not hold for the longest length. Infinite: any good trial is accepted
  explicit LineSearch(double flattest) : flattest_(flattest) {}

  /// @param slope slope at the start, negative @param first first trial length
  /// @param longest, shortest limits of the length @param rounding rounding error of the energy
  void begin(double energy, double slope, double first, double longest, double shortest,
             double rounding);
  /// The length to try.
  double length() const { return length_; }
  /// @param energy, slope values at the end of the trial
  Verdict judge(double energy, double slope);

  void save(std::vector<double>& out) const;
  /// Takes the numbers of the search from the front of `saved`.
  void load(std::span<const double>& saved);

 private:
  Verdict try_next(double length);

  double flattest_;
  double energy_ = 0, slope_ = 0, length_ = 0, longest_ = 0, shortest_ = 0, rounding_ = 0;
  double low_ = 0, low_slope_ = 0;  ///< the longest length known to be too short
  double high_ = 0;                 ///< the shortest length known to be too long; 0 if none is
  double trials_ = 0;
};

}  // namespace larmor
