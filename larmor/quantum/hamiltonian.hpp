#pragma once
// Products of H with vectors of a sector, without the elements of H.

#include <optional>

#include "larmor/quantum/product_views.hpp"
#include "larmor/transfer/vectors.hpp"

namespace larmor::quantum {

using transfer::Vector;

class Hamiltonian {
 public:
  /// @throws InputError as StateSpace
  Hamiltonian(const Device& device, const SpinModel& model, const Sector& sector);
  // Views refer to the tables.
  Hamiltonian(const Hamiltonian&) = delete;
  Hamiltonian& operator=(const Hamiltonian&) = delete;

  Index states() const { return space_.states(); }
  /// out = H in, asynchronous on a GPU. @param out another vector
  void multiply(const Vector& in, Vector& out) const;
  /// Numbers that a product reads from memory and writes to it at least, over the states.
  double traffic() const;
  /// Bytes of its tables.
  static double bytes(int sites, const Sector& sector);

 private:
  void make_flips(const Device& device, const SpinModel& model);
  /// Lets a pass with chunks add the flips of the lowest bits.
  void move_lowest_flips(HighPass& pass);
  void make_exchanges(const Device& device, const SpinModel& model);
  void multiply_on_gpu(const Vector& in, Vector& out) const;

  StateSpace space_;
  Diagonal diagonal_;
  // All, even and odd states.
  LowPass low_{};
  std::optional<HighPass> middle_;  ///< on a GPU, runs together with the low pass
  std::vector<HighPass> high_;
  mutable Array<std::uint32_t> progress_;  ///< tickets and tiles: see hamiltonian_gpu.cu
  Array<FlipTerm> terms_;
  // States of a given magnetisation.
  ExchangePass exchange_{};
  Array<double> low_c_;
  Array<Index> low_first_, raise_first_;
  Array<RankPair> low_pairs_, raise_pairs_;
  Array<Exchange> across_, high_exchange_, all_;
  Array<int> across_site_;
};

}  // namespace larmor::quantum
