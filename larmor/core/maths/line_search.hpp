#pragma once
// How far to go along a direction: trial lengths from energies and slopes at their ends.
//
// A length is good where the energy has not risen and either has fallen by a share of what the
// slope promised (Armijo) or the slope has not turned up too much, which says the same of a
// parabola but is not drowned by rounding (Hager and Zhang, SIAM J. Optim. 16 (2005) 170).

#include <span>
#include <vector>

namespace larmor {

class LineSearch {
 public:
  enum class Verdict {
    accept,  ///< the trial is good
    again,   ///< try `length()` next
    stuck    ///< even the shortest step leads up
  };

  /// @param flattest a good trial's slope has to be smaller in size than this share of the first
  ///        one, unless it is the longest allowed; infinite: any good trial will do
  explicit LineSearch(double flattest) : flattest_(flattest) {}

  /// @param slope at the start, negative; @param first length to try
  /// @param longest, shortest lengths that make sense; @param rounding of the energy
  void begin(double energy, double slope, double first, double longest, double shortest,
             double rounding);
  /// The length to be tried.
  double length() const { return length_; }
  /// @param energy, slope at the end of the trial
  Verdict judge(double energy, double slope);

  void save(std::vector<double>& out) const;
  /// Takes its numbers from the front of `saved`.
  void load(std::span<const double>& saved);

 private:
  Verdict try_next(double length);

  double flattest_;
  double energy_ = 0, slope_ = 0, length_ = 0, longest_ = 0, shortest_ = 0, rounding_ = 0;
  double low_ = 0, low_slope_ = 0;  ///< the longest length known to lead down
  double high_ = 0;                 ///< the shortest one known to be too long; 0: none
  double trials_ = 0;
};

}  // namespace larmor
