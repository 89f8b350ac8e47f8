#pragma once
// Checks that each point of a scan can run, and forecasts the work, time and memory of a scan.

#include <functional>
#include <string>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/run/device.hpp"
#include "larmor/study/run/plan.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::study {

/// Advice about the lattice and the Hamiltonian of some points.
struct ScanNote {
  std::string words;
  Index first = 0;   ///< the first point to which it applies
  Index points = 0;  ///< number of points to which it applies
};

struct ScanCheck {
  std::vector<double> work;  ///< updates of each point; 0: another rank has checked it
  /// The method that updates the sites of each point; empty: another rank has checked it.
  std::vector<std::string> engines;
  std::vector<ScanNote> notes;  ///< each text once, by first point
};

/// Reads every point, makes every lattice and Hamiltonian that occurs, and checks every stage.
/// Ranks share this work, in Communicator::together.
/// @param world null: one rank
/// @return the costs and notes of those points that this rank has checked
/// @throws InputError, MachineError as run_study, for the first point that cannot run
ScanCheck check_scan(const Scan& scan, const DeviceOverrides& device, const Communicator* world);

/// Joins the findings of all ranks: the work on every rank, the notes on the root. The engines are
/// not sent.
void join(ScanCheck& check, const Communicator& world);

/// The notes as text, with the first point if a note does not apply to all points.
std::vector<std::string> text_of(const std::vector<ScanNote>& notes, const Scan& scan);

/// Runs `work` on a point. An error then names the point.
void of_point(const Scan& scan, Index point, const std::function<void()>& work);

/// The points, after a check of all of them, and the plan of the first.
/// @throws InputError, MachineError as run_scan
Plan plan_scan(const Scan& scan, const DeviceOverrides& device = {});

}  // namespace larmor::study
