#pragma once
// Interface of the methods that compute S(q,t) and S(q,w) from successive configurations.
//
// A quantum system has detailed balance, S(q,-w) = exp(-beta hbar w) S(q,w): it absorbs energy with
// a higher probability than it emits energy. A classical trajectory does not have this property.
// The factor of a harmonic oscillator,
//
//     S(q,w) = beta hbar w / (1 - exp(-beta hbar w)) S_cl(q,w),
//
// gives S this property if S_cl is symmetric in w. A classical mode has the energy k_B T. The
// factor turns this energy into hbar w (n + 1) at frequency w, and into hbar w n at frequency -w,
// with n bosons in the mode. Sources: Berens, Mackay, White and Wilson, J. Chem. Phys. 79 (1983)
// 2375; for neutrons and spins, Huberman, Tennant, Cowley, Coldea and Frost, J. Stat. Mech. (2008)
// P05017.

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

/// Time origins. They are samples whose products with later samples are averaged to S(q,t). some: a
/// given number of samples. all: every sample. automatic: every sample if the amplitudes need
/// little memory, otherwise as many samples as cost little memory.
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
  /// For `some`: number of origins, evenly spaced from the first sample on.
  Index origin_count = 1;
  bool connected = true;
  bool unbiased = true;  ///< are connected correlations divided by M - 1 instead of M?
  /// For `Method::real_space`: is each component also summed separately? If not, one product sums
  /// all components.
  bool components = false;
  /// Number of blocks of replicas; for the errors, each block is left out once.
  Index error_blocks = 0;
};

struct StructureFactorResult {
  std::vector<double> frequency;                   ///< [F], ascending
  std::vector<double> intensity, error;            ///< [Q,F]; error: standard error over replicas
  std::vector<double> components;                  ///< [Q,F,3]; empty: only the sum is known
  std::vector<double> time;                        ///< [T]
  std::vector<std::complex<double>> intermediate;  ///< S(q,t), [Q,T]
  std::vector<double> intermediate_error;          ///< error of the real part, [Q,T]
  /// S(q) at equal times, [Q]. It is the mean over all samples, or in real space the value of the
  /// first sample.
  std::vector<double> static_value, static_error;
  /// Largest relative error of the products, measured on S(q) at equal times. Only in real space.
  std::optional<double> precision_error;
};

/// Removes results at angular frequencies w with |w| > `largest`. Frequency 0 always stays.
void keep_frequencies(StructureFactorResult& result, double largest);

/// How ranks with different replicas gather their samples. The calls are collective.
struct RankedSamples {
  /// Gathers (outer, own replica, inner) of every rank to (outer, all replicas, inner) on the root.
  /// If it is empty, this rank has all replicas.
  std::function<std::vector<double>(std::vector<double>, Index inner)> gathered;
  bool is_root = true;  ///< the root keeps the correlations
};

/// Bytes of host memory for the results, including the copy for writing.
double result_bytes(const StructureFactorSettings& settings);

class Correlator {
 public:
  virtual ~Correlator() = default;
  /// Adds the next sample without waiting for the GPU. Collective, because ranks may gather earlier
  /// samples in this call.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  /// @throws MachineError if a GPU lacks a feature that the method needs
  virtual void add(const spins::SpinState& state) = 0;
  virtual Index samples_added() const = 0;
  /// Waits for pending samples. Collective. Must be called before `save` and `finish`.
  virtual void finish_sums() = 0;
  /// Does one of several equal shares of a sample's work, so that forecasts can measure it. After
  /// this call, no sample may be added.
  /// @return how many shares a sample has; 0: a sample costs almost nothing, so nothing was done
  virtual Index try_share(const spins::SpinState&) { return 0; }
  /// Computes the results from all samples. Only the root calls it.
  virtual StructureFactorResult finish(int threads) = 0;
  /// All sums so far, for checkpoints. They are complete only on the root.
  virtual std::vector<double> save() = 0;
  virtual void load(const std::vector<double>& saved) = 0;
};

/// Makes the correlator of the chosen method. In real space, ranks need the spins of all replicas
/// and share the sums over pairs.
/// @param replicas how the ranks share the replicas @param world the ranks that have the replicas;
/// null: there is only this rank
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
