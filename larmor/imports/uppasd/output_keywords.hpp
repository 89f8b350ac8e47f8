#pragma once
// The keywords of inpsd.dat that steer UppASD's own files.

#include <string>
#include <utility>
#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/input_file.hpp"
#include "larmor/imports/uppasd/spectrum_output.hpp"

namespace larmor::imports::uppasd {

struct OutputKeywords {
  static constexpr std::size_t simid_length = 8;

  /// @throws InputError for a keyword whose files or formats Larmor does not write
  explicit OutputKeywords(const std::string& path);

  bool is_monte_carlo() const { return mode != 'S'; }
  /// The name of a file such as "averages".
  std::string name(const std::string& kind) const { return kind + "." + simid + ".out"; }
  /// UppASD pads the simid in this name only.
  std::string json_name() const;
  /// @param n number of the row of ntraj, from 0 @param ensemble from 0
  std::string trajectory_name(std::size_t n, Index ensemble) const;
  /// Names of all files.
  std::vector<std::string> names() const;

  InputFile file;
  UppasdCrystal crystal;
  std::string simid = "_UppASD_";
  char mode = 'S';
  bool in_time = false;  ///< times in place of numbers of steps
  bool tensor = false;   ///< energies of tensors
  Index ensembles = 1;
  bool averages = true, cumulants = false, energies = false, charge = false, frames = false;
  Index averages_every = 100, cumulants_every = 50, cumulants_buffer = 10, charge_every = 100,
        frames_every = 1000;
  std::string spectrum;  ///< the structure factor of the results; empty: none
  std::vector<PrintedWaveVector> points;
  std::vector<std::pair<Index, Index>> atoms;  ///< atom and steps between its rows (ntraj)
  Index first_step = 0;                        ///< steps of the run that wrote the restart file

 private:
  Index step_of_restart() const;
};

}  // namespace larmor::imports::uppasd
