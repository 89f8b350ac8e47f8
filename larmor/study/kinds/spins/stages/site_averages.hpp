#pragma once
// Averages of every site by itself, over the samples and replicas of a stage.

#include <string>
#include <vector>

#include "larmor/study/kinds/spins/stages/spin_stage.hpp"

namespace larmor::study {

class SiteAverages {
 public:
  static constexpr const char* energy = "site-energy";
  static constexpr const char* spins = "site-spins";
  static bool is_one(const std::string& what) { return what == energy || what == spins; }

  /// @param measure entries of a stage's `measure`; those that are of sites are taken
  explicit SiteAverages(const std::vector<std::string>& measure = {});

  /// Numbers kept for one of them.
  static double numbers(const lattice::Geometry& geometry, Index replicas);
  /// Bytes that kernels work in.
  double device_bytes(const SpinLayout& layout, const Device& device) const;
  /// Takes the configurations of all replicas.
  void add(const SpinSimulation& simulation);
  /// Appends a row to sites/energy (n, N), each site's share with bonds counted half, and to
  /// sites/spins (n, N, 3), the mean of e; then begins anew.
  void append(const SpinSimulation& simulation, ResultsGroup& results);

  /// @param suffix of the names in memory, where there are several of these
  void save(StageMemory& memory, const Ranks& ranks, const std::string& suffix = "") const;
  void load(const StageMemory& memory, const Ranks& ranks, const std::string& suffix = "");

 private:
  bool of_energy_ = false, of_spins_ = false;
  double samples_ = 0;
  std::vector<double> energy_sum_, spin_sum_;  ///< (block of replicas, canonical site[, 3])
};

}  // namespace larmor::study
