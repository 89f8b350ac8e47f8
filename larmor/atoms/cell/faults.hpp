#pragma once
// Errors of atoms after which a run cannot continue. Loops over atoms on a GPU cannot throw, and
// the host does not wait for them at each step. Such loops raise a fault, and the first fault is
// kept.

#include <atomic>
#include <cstdint>
#include <optional>

#include "larmor/atoms/cell/atom_array.hpp"
#include "larmor/core/maths/isa.hpp"

namespace larmor::atoms {

/// The kinds of faults. If one evaluation raises several faults, the earliest entry here is
/// reported.
enum class Fault : std::uint64_t {
  flat_box,          ///< the vectors of a replica's box span no volume
  small_box,         ///< the box of a replica repeats too often within the cutoff
  lost_atom,         ///< the position of an atom is not finite, or far from the box
  coincident_atoms,  ///< two atoms have one position
  narrow_rows,       ///< an atom has more neighbours than its row can hold
  large_strain,      ///< the box of a replica changes too much in a step
  not_finite,        ///< the energy or a force of a replica is not finite
};

/// The object with which loops raise a fault.
struct FaultFlag {
  std::uint64_t* first;
  std::uint64_t moment;  ///< steps since the last `clear`, and order of the loop within the step

  static constexpr int bits_of_place = 36, bits_of_fault = 4, bits_of_order = 4;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// @param place number of the atom or the replica, counted from 0
  LARMOR_INLINE void raise(Fault fault, Index place) const {
    const std::uint64_t code = (moment << bits_of_fault | static_cast<std::uint64_t>(fault))
                                   << bits_of_place |
                               static_cast<std::uint64_t>(place);
#if defined(__CUDA_ARCH__)
    atomicMin(reinterpret_cast<unsigned long long*>(first), static_cast<unsigned long long>(code));
#else
    const std::atomic_ref<std::uint64_t> kept(*first);
    std::uint64_t known = kept.load();
    while (code < known && !kept.compare_exchange_weak(known, code)) {
    }
#endif
  }
};

struct RaisedFault {
  Fault fault;
  Index place;         ///< number of the atom or the replica, counted from 0
  std::uint64_t step;  ///< step of the state in which the fault was raised
};

/// The first fault that loops raise, on the device of the atoms.
class FaultRecord {
 public:
  explicit FaultRecord(const Device& device);

  /// Returns the flag for the loops that are launched next. Faults of loops with an earlier flag
  /// count as earlier.
  /// @param step step of the state
  FaultFlag flag(std::uint64_t step);
  /// Removes all faults. @param step step of the state
  void clear(std::uint64_t step);
  /// Returns the first fault, if there is one. Waits for a GPU.
  std::optional<RaisedFault> first() const;

 private:
  AtomArray<std::uint64_t> first_;
  std::uint64_t begin_ = 0;             ///< step of the last `clear`
  std::uint64_t step_ = 0, order_ = 0;  ///< step and order of the last flag
};

}  // namespace larmor::atoms
