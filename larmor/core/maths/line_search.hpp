#pragma once
// Line search along a direction: trial lengths from energies and slopes at their ends.
//
// A length is good if the energy has not risen and one of two conditions holds. Either the energy
// has fallen by a fraction of the decrease predicted by the slope (Armijo), or the slope has not
// turned up too much. For a parabola both are equivalent, but the second is robust against rounding
// (Hager and Zhang, SIAM J. Optim. 16 (2005) 170).

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

  /// @param flattest largest ratio of a good trial's slope to the first slope, in size, unless the
  /// trial has the longest length; infinite to accept any good trial
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
  /// Removes its numbers from the front of `saved`.
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
