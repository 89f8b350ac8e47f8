#pragma once
// Before any point of a scan runs: can each of them, and what will it cost?

#include <functional>
#include <vector>

#include "larmor/core/communicator.hpp"
#include "larmor/study/device.hpp"
#include "larmor/study/scan.hpp"

namespace larmor::study {

/// Reads every point, makes every lattice and Hamiltonian that occurs, and asks every stage; ranks
/// share this among them, in Communicator::together.
/// @param world null: one rank
/// @return spin updates of each point, of those that this rank has looked at; 0 of others
/// @throws InputError, MachineError as run_study, for the first point that cannot be run
std::vector<double> checked_work(const Scan& scan, const DeviceOverrides& device,
                                 const Communicator* world);

/// Work on a point, whose failure then says which one it was.
void of_point(const Scan& scan, Index point, const std::function<void()>& work);

}  // namespace larmor::study
