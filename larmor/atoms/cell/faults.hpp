#pragma once
// What may become of atoms that nothing can go on from. Loops over atoms cannot throw on a GPU, and
// nobody waits for it to ask each step: they raise a fault, and the first one is kept.

#include <atomic>
#include <cstdint>
#include <optional>

#include "larmor/atoms/cell/atom_array.hpp"
#include "larmor/core/maths/isa.hpp"

namespace larmor::atoms {

/// Of several of one evaluation the one that stands first here is told.
enum class Fault : std::uint64_t {
  flat_box,          ///< its vectors span no volume; of a replica
  small_box,         ///< it repeats too often within the cutoff; of a replica
  lost_atom,         ///< its position is not finite, or far from the box; of an atom
  coincident_atoms,  ///< an atom is at the place of another; of an atom
  narrow_rows,       ///< an atom has more neighbours than its row can hold; of an atom
  large_strain,      ///< a box changes by too much in a step; of a replica
  not_finite,        ///< the energy or a force; of a replica
};

/// How loops raise a fault.
struct FaultFlag {
  std::uint64_t* first;
  std::uint64_t moment;  ///< the step since faults were forgotten, and the place in the step

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
  std::uint64_t step;  ///< that of the state
};

/// The first fault, on the device of the atoms.
class FaultRecord {
 public:
  explicit FaultRecord(const Device& device);

  /// For the loops that are launched next. A fault of those before them counts as the first one.
  /// @param step of the state
  FaultFlag flag(std::uint64_t step);
  /// Forgets faults. @param step of the state
  void clear(std::uint64_t step);
  /// Waits for a GPU.
  std::optional<RaisedFault> first() const;

 private:
  AtomArray<std::uint64_t> first_;
  std::uint64_t begin_ = 0;             ///< step when faults were forgotten
  std::uint64_t step_ = 0, order_ = 0;  ///< of the last flag
};

}  // namespace larmor::atoms
