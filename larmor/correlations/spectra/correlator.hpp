#pragma once
// What a stage feeds with configurations, one after the other, to get S(q,t) and S(q,w) at the end.

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/pairs/operands/pair_precision.hpp"
#include "larmor/correlations/spectra/window.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

/// Samples whose products with later ones S(q,t) is the average of: so many as are asked for; every
/// one; every one where their amplitudes take little memory, otherwise as many as cost little.
enum class Origins { some, all, automatic };

struct StructureFactorSettings {
  QList q;
  Method method = Method::automatic;
  /// Of the products of Method::real_space on a GPU.
  real_space::PairPrecision pair_precision = real_space::PairPrecision::full;
  double interval = 1;  ///< time between samples
  Index samples = 1;
  Window window = Window::hann;
  double window_width = gaussian_width;  ///< of a Gaussian
  Origins origins = Origins::some;
  Index origin_count = 1;  ///< of `some`: evenly spaced, the first sample one of them
  bool connected = true;
  bool unbiased = true;  ///< connected: divide by M - 1 instead of M
  /// Of Method::real_space, which sums components and replicas in one product if it may.
  bool components = false;
  Index error_blocks = 0;  ///< of replicas, left out in turn for the errors
};

struct StructureFactorResult {
  std::vector<double> frequency;                   ///< [F], ascending
  std::vector<double> intensity, error;            ///< [Q,F]; error: standard error over replicas
  std::vector<double> components;                  ///< [Q,F,3]; empty: only their sum is known
  std::vector<double> time;                        ///< [T]
  std::vector<std::complex<double>> intermediate;  ///< S(q,t), [Q,T]
  std::vector<double> intermediate_error;          ///< of its real part, [Q,T]
  /// S(q) at equal times, [Q]: of all samples; in real space of the first.
  std::vector<double> static_value, static_error;
  /// In real space: the largest relative error of S(q) at equal times that the product makes.
  std::optional<double> precision_error;
};

/// Leaves out what is of angular frequencies beyond `largest`; that of 0 stays.
void keep_frequencies(StructureFactorResult& result, double largest);

/// How ranks that have replicas each of their own bring samples together. All come together.
struct RankedSamples {
  /// (outer, own replica, inner) of every rank as (outer, all replicas, inner) on the root.
  /// Nothing: this rank has all replicas
  std::function<std::vector<double>(std::vector<double>, Index inner)> gathered;
  bool is_root = true;  ///< the one that keeps correlations
};

/// Bytes of the host that results take, written out one after the other.
double result_bytes(const StructureFactorSettings& settings);

class Correlator {
 public:
  virtual ~Correlator() = default;
  /// The next sample. On a GPU it is not waited for. All ranks come together: those before it may
  /// be brought together. @throws InternalError beyond the number
  /// announced, or for another number of sites or replicas
  /// @throws MachineError when a GPU lacks what the method needs
  virtual void add(const spins::SpinState& state) = 0;
  virtual Index samples_added() const = 0;
  /// Waits for what is on its way. All ranks come together, before `save` and `finish`.
  virtual void settle() = 0;
  /// Does one of so many equal parts of a sample's work, for estimates: after it nothing is added.
  /// @return how many; 0: nothing was done, a sample costs as good as nothing
  virtual Index try_part(const spins::SpinState&) { return 0; }
  /// On the root.
  virtual StructureFactorResult finish(int threads) = 0;
  /// All that is known so far, for checkpoints; on the root, elsewhere perhaps nothing.
  virtual std::vector<double> save() = 0;
  virtual void load(const std::vector<double>& saved) = 0;
};

/// By the method that the settings ask for. In real space ranks need the spins of all replicas and
/// share the sums over pairs.
/// @param replicas of this rank @param world those who have the others; null: this one alone
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

/// Bytes of the host that it takes, a checkpoint's copy included. @param replicas of all ranks
double correlator_bytes(const lattice::Geometry& geometry, const StructureFactorSettings& settings,
                        Index replicas);
/// Bytes that it works in, where the spins are.
double correlator_working_bytes(const lattice::Geometry& geometry,
                                const StructureFactorSettings& settings,
                                const ReplicaShare& replicas, const Device& device);

}  // namespace larmor::correlations
