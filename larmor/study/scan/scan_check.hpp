#pragma once
// Before any point of a scan runs: can each of them, and what will it cost?

#include <functional>
#include <string>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/run/device.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

/// What the user should know about the lattice and the Hamiltonian of some points.
struct ScanNote {
  std::string words;
  Index first = 0;   ///< the first point that it holds for
  Index points = 0;  ///< how many it holds for
};

struct ScanCheck {
  std::vector<double> work;  ///< updates of each point; 0: another rank has looked at it
  /// What updates the sites of each point; empty: another rank has looked at it.
  std::vector<std::string> engines;
  std::vector<ScanNote> notes;  ///< each text once, by first point
};

/// Reads every point, makes every lattice and Hamiltonian that occurs, and asks every stage; ranks
/// share this among them, in Communicator::together.
/// @param world null: one rank
/// @return of those points that this rank has looked at
/// @throws InputError, MachineError as run_study, for the first point that cannot be run
ScanCheck check_scan(const Scan& scan, const DeviceOverrides& device, const Communicator* world);

/// Brings together what all ranks have found: the work on every rank, the notes on the root. The
/// engines stay where they are.
void join(ScanCheck& check, const Communicator& world);

/// The notes in words, which name the first point where not all points are meant.
std::vector<std::string> words_of(const std::vector<ScanNote>& notes, const Scan& scan);

/// Work on a point, whose failure then says which one it was.
void of_point(const Scan& scan, Index point, const std::function<void()>& work);

}  // namespace larmor::study
