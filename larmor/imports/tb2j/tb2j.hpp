#pragma once
// Reads exchange.out of TB2J.
//
//     H = - sum_{i != j} [ J_ij e_i.e_j + D_ij.(e_i x e_j) + e_i^T J_ani,ij e_j ]
//         - sum_i k1_i (e_i.n_i)^2,
//
// with unit vectors e, in meV. The sum counts each pair twice, and the file lists both directions.
// Source: the files that versions 0.3 to 0.9 write, and X. He et al., Comput. Phys. Commun. 264,
// 107938 (2021).

#include <string>

#include "larmor/imports/import.hpp"

namespace larmor::imports {

/// Does the file begin as exchange.out does? @throws MachineError if it cannot be read
bool is_tb2j_output(const std::string& path);

/// The couplings as a study, which adds a size, and Monte Carlo from 1.2 T_c of mean-field theory
/// down to a tenth of T_c.
/// @param options `anisotropic` also takes J_ani of a run with one direction of the spins
/// @throws InputError for malformed lines, unknown sections, unknown atoms, vectors that contradict
/// the positions, a bond without its reverse. MachineError if the file cannot be read
Import read_tb2j(const std::string& path, const ImportOptions& options = {});

}  // namespace larmor::imports
