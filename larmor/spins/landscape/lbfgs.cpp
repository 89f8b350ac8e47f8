#include "larmor/spins/landscape/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {

NextDirection Lbfgs::restart(double square, double stiffness) {
  order_.clear();
  return down_the_gradient(1 / stiffness, square);
}

void Lbfgs::remember(const AcceptedStep& turn, double reflects) {
  const StepProducts& products = turn.products;
  const auto place = static_cast<std::size_t>(turn.place);
  const double length = turn.length;
  for (const int other : order_) {
    const auto k = static_cast<std::size_t>(other);
    if (k == place) continue;
    step_step_[place][k] = step_step_[k][place] = length * products.direction_step[k];
    step_change_[place][k] = length * products.direction_change[k];
    step_change_[k][place] = products.change_step[k] + reflects * step_step_[place][k];
    change_change_[place][k] = change_change_[k][place] =
        products.change_change[k] + reflects * step_change_[place][k];
  }
  const double square = length * length * products.direction_square;
  const double across = length * products.curvature;
  step_step_[place][place] = square;
  step_change_[place][place] = across + reflects * square;
  change_change_[place][place] =
      products.change_square + 2 * reflects * across + reflects * reflects * square;
  gradient_step_[place] = length * products.slope;
  gradient_change_[place] = products.along_change + reflects * gradient_step_[place];
}

NextDirection Lbfgs::next(const AcceptedStep& turn) {
  const StepProducts& products = turn.products;
  const auto place = static_cast<std::size_t>(turn.place);
  for (const int other : order_) {
    const auto k = static_cast<std::size_t>(other);
    gradient_step_[k] += products.change_step[k];
    gradient_change_[k] += products.change_change[k];
  }
  const double square = turn.length * turn.length * products.direction_square;
  const double curvature = turn.length * products.curvature;
  const double reflects = curvature < 0 ? -2 * curvature / square : 0;
  remember(turn, reflects);
  std::erase(order_, turn.place);
  curvature_[place] = std::abs(curvature);
  if (curvature_[place] > 1e-10 * std::sqrt(square * change_change_[place][place]))
    order_.insert(order_.begin(), turn.place);
  NextDirection next = two_loops(products.square);
  next.reflects = reflects;
  return next;
}

NextDirection Lbfgs::two_loops(double square) const {
  NextDirection p;
  p.of_gradient = -1;
  const auto along_step = [&](std::size_t k) {
    double sum = p.of_gradient * gradient_step_[k];
    for (const int other : order_) {
      const auto j = static_cast<std::size_t>(other);
      sum += p.of_step[j] * step_step_[j][k] + p.of_change[j] * step_change_[k][j];
    }
    return sum;
  };
  const auto along_change = [&](std::size_t k) {
    double sum = p.of_gradient * gradient_change_[k];
    for (const int other : order_) {
      const auto j = static_cast<std::size_t>(other);
      sum += p.of_step[j] * step_change_[j][k] + p.of_change[j] * change_change_[j][k];
    }
    return sum;
  };
  HistoryValues share{};
  for (const int place : order_) {
    const auto k = static_cast<std::size_t>(place);
    share[k] = along_step(k) / curvature_[k];
    p.of_change[k] -= share[k];
  }
  if (!order_.empty()) {
    const auto last = static_cast<std::size_t>(order_.front());
    const double scale = curvature_[last] / change_change_[last][last];
    p.of_gradient *= scale;
    for (double& x : p.of_change) x *= scale;
  }
  for (auto place = order_.rbegin(); place != order_.rend(); ++place) {
    const auto k = static_cast<std::size_t>(*place);
    p.of_step[k] += share[k] - along_change(k) / curvature_[k];
  }
  p.slope = p.of_gradient * square;
  p.square = p.of_gradient * p.of_gradient * square;
  for (const int place : order_) {
    const auto k = static_cast<std::size_t>(place);
    p.slope += p.of_step[k] * gradient_step_[k] + p.of_change[k] * gradient_change_[k];
    p.square += p.of_step[k] * (along_step(k) + p.of_gradient * gradient_step_[k]) +
                p.of_change[k] * (along_change(k) + p.of_gradient * gradient_change_[k]);
  }
  return p;
}

void Lbfgs::save(std::vector<double>& out) const {
  for (std::size_t age = 0; age < history_length; ++age)
    save_numbers(out, {age < order_.size() ? static_cast<double>(order_[age]) : -1.0});
  for (std::size_t k = 0; k < history_length; ++k) {
    save_numbers(out, {curvature_[k], gradient_step_[k], gradient_change_[k]});
    for (const Table* table : {&step_step_, &step_change_, &change_change_})
      for (const double x : (*table)[k]) save_numbers(out, {x});
  }
}

void Lbfgs::load(std::span<const double>& saved) {
  order_.clear();
  for (std::size_t age = 0; age < history_length; ++age)
    if (const double place = take_number(saved); place >= 0)
      order_.push_back(static_cast<int>(place));
  for (std::size_t k = 0; k < history_length; ++k) {
    for (HistoryValues* numbers : {&curvature_, &gradient_step_, &gradient_change_})
      (*numbers)[k] = take_number(saved);
    for (Table* table : {&step_step_, &step_change_, &change_change_})
      for (double& x : (*table)[k]) x = take_number(saved);
  }
}

}  // namespace larmor::spins
