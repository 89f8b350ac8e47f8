#pragma once
// The measurements of the measurement phase, as entries of `measure`.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/quantities.hpp"
#include "larmor/imports/uppasd/wave_vectors.hpp"

namespace larmor::imports::uppasd {

class Measurements {
 public:
  /// @param terms number of tables of the Hamiltonian @throws InputError for values that cannot be
  /// imported
  Measurements(const InputFile& input, const UppasdCrystal& crystal, const Quantities& quantities,
               std::size_t terms, std::vector<std::string>& notes);

  /// Steps during which S(q,w) is sampled; at most `steps`, and 0 if it is not measured.
  Index steps_of_spectra(Index steps) const;
  /// Sets `measure` of a stage of dynamics. @param before steps of the stages before it, of the
  /// same phase @param with_spectra also S(q,w)
  void set_dynamics(Value& stage, Index before, Index steps, bool with_spectra) const;
  /// Sets `measure`, `measure_every` and `trajectory_every` of a Monte Carlo stage.
  void set_monte_carlo(Value& stage, Index sweeps) const;

 private:
  Value entry(const char* what, Index every, const SourceMark& where) const;
  Value structure_factor(Index every, const SourceMark& where) const;
  /// Place of the first of these keywords that the input has.
  SourceMark place(std::initializer_list<const char*> keywords) const;
  void read_spectra();
  /// The final states of all ensembles, as in UppASD's restart file.
  void keep_all_configurations(Value& stage, const SourceMark& where) const;

  const InputFile& input_;
  const UppasdCrystal& crystal_;
  const Quantities& quantities_;
  std::vector<std::string>& notes_;
  bool terms_ = false;
  bool trajectory_ = false;
  Index averages_every_, trajectory_every_;
  bool static_ = false;   ///< C(q)
  bool dynamic_ = false;  ///< S(q,w)
  Index static_every_ = 0;
  Index spectra_every_ = 0, spectra_samples_ = 0;  ///< samples: 0 if not limited
  std::string window_ = "none";
  bool connected_ = false;
  WaveVectors points_;
};

}  // namespace larmor::imports::uppasd
