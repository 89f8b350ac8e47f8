#pragma once
// The screened repulsion of nuclei (zbl.hpp) on a GPU.

#include "larmor/atoms/cell/atom_array.hpp"
#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/potentials/zbl/zbl.hpp"

namespace larmor::atoms {

class GpuZbl : public GpuPotential {
 public:
  GpuZbl(const Zbl& zbl, const Device& device);

  double cutoff() const override { return cutoff_; }
  void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                Vec3<double>* gradient, bool adds, CUstream_st* stream) override;

 private:
  double cutoff_;
  std::int32_t types_;
  AtomArray<ZblPair> pairs_;
  AtomArray<std::int32_t> pair_of_types_;  ///< -1: none [types, types]
};

}  // namespace larmor::atoms
