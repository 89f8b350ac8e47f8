#pragma once
// Numbers of every replica that the steps of integrators need in addition to the state. They are on
// the device of the atoms.

#include <algorithm>
#include <span>
#include <vector>

#include "larmor/atoms/cell/atom_array.hpp"

namespace larmor::atoms {

class IntegratorState {
 public:
  virtual void move_to(const Device& device) = 0;
  /// Copies the numbers for `restore_snapshot`. Neither function waits for a GPU.
  virtual void take_snapshot() = 0;
  virtual void restore_snapshot() = 0;
  virtual std::size_t replicas() const = 0;
  virtual std::size_t numbers_of_replica() const = 0;
  /// [replica, number]
  virtual std::vector<double> numbers() const = 0;
  virtual void set_numbers(std::span<const double> numbers) = 0;

 protected:
  ~IntegratorState() = default;
};

/// @tparam T a struct that has only doubles
template <class T>
class StateOfReplicas final : public IntegratorState {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);

 public:
  explicit StateOfReplicas(std::size_t replicas) : now_(Device{}, std::vector<T>(replicas)) {}

  T* data() { return now_.data(); }
  std::vector<T> to_host() const { return now_.to_host(); }

  void move_to(const Device& device) override { now_.move_to(device); }
  void take_snapshot() override { snapshot_ = now_; }
  void restore_snapshot() override { now_ = snapshot_; }
  std::size_t replicas() const override { return now_.size(); }
  std::size_t numbers_of_replica() const override { return sizeof(T) / sizeof(double); }
  std::vector<double> numbers() const override {
    const std::vector<T> host = to_host();
    const auto* const first = reinterpret_cast<const double*>(host.data());
    return {first, first + host.size() * numbers_of_replica()};
  }
  void set_numbers(std::span<const double> numbers) override {
    std::vector<T> host(now_.size());
    std::copy(numbers.begin(), numbers.end(), reinterpret_cast<double*>(host.data()));
    now_ = host;
  }

 private:
  AtomArray<T> now_, snapshot_;
};

}  // namespace larmor::atoms
