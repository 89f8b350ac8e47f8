#include "larmor/correlations/pairs/gpu/all_sums.cuh"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/tile_sums.cuh"

namespace larmor::correlations::real_space {
namespace {

struct TensorCores {
  template <class Make>
  static std::unique_ptr<FusedSums> in_precision(PairPrecision precision, const Make& make) {
    switch (precision) {
      case PairPrecision::full:
        return make(DoubleNumbers{});
      case PairPrecision::tf32x3:
        return make(Tf32Numbers{});
      case PairPrecision::half_split:
        return make(HalfNumbers{});
    }
    throw InternalError("unknown precision of a pair sum");
  }
};

}  // namespace

MakeFusedSums tensor_core_sums() { return all_sums_by<TensorCores>; }

}  // namespace larmor::correlations::real_space
