#pragma once
// Interface of the methods that compute S(q,t) and S(q,w) from successive configurations.
//
// Detailed balance of a quantum system, S(q,-w) = exp(-beta hbar w) S(q,w): absorbing energy is
// more likely than emitting energy. A classical trajectory lacks it. The factor of a harmonic
// oscillator
//
//     S(q,w) = beta hbar w / (1 - exp(-beta hbar w)) S_cl(q,w),
//
// has this property if S_cl is symmetric in w. It turns k_B T of a classical mode into hbar w (n +
// 1) and hbar w n of bosons at plus and minus its frequency. Berens, Mackay, White and Wilson, J.
// Chem. Phys. 79 (1983) 2375; for neutrons and spins: Huberman, Tennant, Cowley, Coldea and Frost,
// J. Stat. Mech. (2008) P05017.

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

/// Time origins: samples whose products with later samples are averaged to S(q,t). some: a given
/// number. all: every sample. automatic: every sample if amplitudes need little memory, otherwise
/// as many as cost little.
enum class Origins { some, all, automatic };

struct StructureFactorSettings {
  QList q;
  Method method = Method::automatic;
  /// Precision of the products of `Method::real_space` on a GPU.
  real_space::PairPrecision pair_precision = real_space::PairPrecision::full;
  double interval = 1;  ///< time between samples
  Index samples = 1;
  Window window = Window::hann;
  double window_width = gaussian_width;  ///< standard deviation of a Gaussian window
  Origins origins = Origins::some;
  Index origin_count = 1;  ///< `some`: evenly spaced, including the first sample
  bool connected = true;
  bool unbiased = true;  ///< connected: divide by M - 1 instead of M
  /// `Method::real_space`: also sums each component separately; otherwise one product sums all.
  bool components = false;
  Index error_blocks = 0;  ///< blocks of replicas; each is left out once for the errors
};

struct StructureFactorResult {
  std::vector<double> frequency;                   ///< [F], ascending
  std::vector<double> intensity, error;            ///< [Q,F]; error: standard error over replicas
  std::vector<double> components;                  ///< [Q,F,3]; empty: only the sum is known
  std::vector<double> time;                        ///< [T]
  std::vector<std::complex<double>> intermediate;  ///< S(q,t), [Q,T]
  std::vector<double> intermediate_error;          ///< error of the real part, [Q,T]
  /// S(q) at equal times, [Q]: mean over all samples; in real space of the first sample.
  std::vector<double> static_value, static_error;
  /// In real space: largest relative error of the product, measured on S(q) at equal times.
  std::optional<double> precision_error;
};

/// Removes angular frequencies beyond `largest`; frequency 0 stays.
void keep_frequencies(StructureFactorResult& result, double largest);

/// How ranks with different replicas gather their samples. The calls are collective.
struct RankedSamples {
  /// Gathers (outer, own replica, inner) of every rank to (outer, all replicas, inner) on the root.
  /// Empty: this rank has all replicas.
  std::function<std::vector<double>(std::vector<double>, Index inner)> gathered;
  bool is_root = true;  ///< the root keeps the correlations
};

/// Bytes of host memory for the results, including the copy for writing.
double result_bytes(const StructureFactorSettings& settings);

class Correlator {
 public:
  virtual ~Correlator() = default;
  /// Adds the next sample without waiting for the GPU. Collective: earlier samples may be gathered.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  /// @throws MachineError if a GPU lacks a feature that the method needs
  virtual void add(const spins::SpinState& state) = 0;
  virtual Index samples_added() const = 0;
  /// Waits for pending samples. Collective; called before `save` and `finish`.
  virtual void finish_sums() = 0;
  /// Does one of several equal shares of a sample's work, for forecasts. No sample may be added
  /// later.
  /// @return the number of shares; 0: nothing was done, a sample costs almost nothing
  virtual Index try_share(const spins::SpinState&) { return 0; }
  /// Called on the root.
  virtual StructureFactorResult finish(int threads) = 0;
  /// All sums so far, for checkpoints; complete on the root only.
  virtual std::vector<double> save() = 0;
  virtual void load(const std::vector<double>& saved) = 0;
};

/// Makes the correlator of the chosen method. In real space, ranks need the spins of all replicas
/// and share the sums over pairs.
/// @param replicas shared by the ranks @param world ranks with the other replicas; null: only this
/// rank
/// @throws InputError for connected correlations of a single replica, or a method that does not fit
std::unique_ptr<Correlator> make_correlator(const lattice::Geometry& geometry,
                                            const StructureFactorSettings& settings,
                                            const ReplicaShare& replicas,
                                            const Communicator* world = nullptr,
                                            RankedSamples samples = {});

/// @throws InputError for a method that does not fit
void require_method(const lattice::Geometry& geometry, const StructureFactorSettings& settings);
/// @throws InputError for connected correlations of a single replica
void require_replicas(const StructureFactorSettings& settings, Index replicas);

/// Bytes of host memory, including a checkpoint's copy. @param replicas on all ranks
double correlator_bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                        Index replicas);
/// Bytes of working memory on the device of the spins.
double correlator_working_bytes(const lattice::Geometry& geometry,
                                const StructureFactorSettings& settings,
                                const ReplicaShare& replicas, const Device& device);

/// x / (1 - exp(-x)) for x = beta hbar w; 1 at x = 0.
double detailed_balance_factor(double x);

/// Multiplies intensity, error and components; S(q,t) remains classical.
/// @param hbar_over_kT time
void apply_detailed_balance(StructureFactorResult& result, double hbar_over_kT);

}  // namespace larmor::correlations
