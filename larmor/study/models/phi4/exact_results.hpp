#pragma once
// Exactly known results for phi^4 fields.

#include "larmor/study/model_kind/exact_result.hpp"

namespace larmor::study {

/// Open chains of fields of length 1, whose bonds are independent (H. E. Stanley, Phys. Rev. 179,
/// 570 (1969)), and a single site of finite lambda by quadrature; for every sampler.
std::vector<ExactResult> exact_phi4();

}  // namespace larmor::study
