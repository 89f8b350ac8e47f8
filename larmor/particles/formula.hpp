#pragma once
// A formula of named variables, such as "h*(x^2-1)^2". The library muParser reads it: operators + -
// * / ^, comparisons (1 or 0), && || ?:, functions such as sqrt, exp, sin, and the constants _pi
// and _e. An object serves one thread at a time. The library is opened when it is first needed.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace larmor::particles {

class Formula {
 public:
  /// @param parameters names with their constant values
  /// @throws InputError that says where the formula is wrong; MachineError without muParser
  Formula(const std::string& text, const std::vector<std::string>& variables,
          const std::map<std::string, double>& parameters);
  Formula(Formula&&) noexcept = default;
  Formula& operator=(Formula&&) noexcept = default;

  /// @param values those of the variables; the result may be infinite or NaN
  double operator()(std::span<const double> values);

 private:
  struct Closer {
    void operator()(void* parser) const;
  };

  std::unique_ptr<double[]> variables_;  ///< the parser knows this place
  std::unique_ptr<void, Closer> parser_;
};

/// @throws InputError unless a formula may use this name for a number
void require_name(const std::string& name);

}  // namespace larmor::particles
