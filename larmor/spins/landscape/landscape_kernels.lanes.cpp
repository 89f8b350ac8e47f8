// Compiled once for each instruction set, and by landscape_kernels.cu for CUDA.

#include "larmor/spins/landscape/landscape_kernels.hpp"

#include "larmor/spins/hamiltonian/bond_class.hpp"
#include "larmor/spins/landscape/neighbour_image.hpp"
#include "larmor/spins/landscape/tangent_view.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

template <class Real>
LARMOR_INLINE Real smaller(const Real& a, const Real& b) {
  return select(b < a, b, a);
}

/// Number `row` of a slot's replica.
template <class At>
LARMOR_INLINE typename At::Real number_of(const double* numbers, const SpinLayout& layout, int row,
                                          const At& at) {
  return ReplicaView{numbers + row * layout.padded_replicas()}.load(at);
}

struct SetAxis {
  SpinLayout layout;
  Reals spins, axes;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    VectorView(axes, layout).store(at, any_axis(VectorView(spins, layout).load(at)));
  }
};

void set_axes(const Device& device, const Extent& extent, const Reals& spins, const Reals& axes) {
  for_each(device, extent, SetAxis{extent.layout, spins, axes});
}

struct Perturb {
  SpinLayout layout;
  Reals spins;
  const std::int32_t* canonical;
  RandomKey key;
  const double* numbers;
  bool alike;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const VectorView view(spins, layout);
    const auto number = [&](int row) {
      return ReplicaView{numbers + row * layout.padded_replicas()}.load(at);
    };
    const Vec3<Real> e = view.load(at);
    auto replica = replica_indices(at);
    if (alike) replica = 0;
    const auto random = philox(key, canonical_sites(at, canonical), replica);
    const Real z = Real(1.0) - Real(2.0) * uniform_52<Real>(random.w[0], random.w[1]);
    Real sine, cosine;
    sine_cosine_turns(uniform_52<Real>(random.w[2], random.w[3]), sine, cosine);
    const Real s = square_root(Real(1.0) - z * z);
    const Real angle = number(perturb_each);
    const Vec3<Real> all{number(perturb_all), number(perturb_all + 1), number(perturb_all + 2)};
    const Vec3<Real> turn = all + angle * Vec3<Real>{s * cosine, s * sine, z};
    view.store(at, chosen(Real(0.0) < angle, rotated(turn, e), e));
  }
};

void perturb(const Device& device, const Extent& extent, const Reals& spins,
             const std::int32_t* canonical, const RandomKey& key, const double* numbers,
             bool alike) {
  for_each(device, extent, Perturb{extent.layout, spins, canonical, key, numbers, alike});
}

template <class At>
LARMOR_INLINE typename At::Real length_of(const TurnLength& length, const At& at) {
  using Real = typename At::Real;
  const Real zero(0.0), one(1.0);
  if (length.longest == nullptr) return ReplicaView{length.requested}.load(at);
  const Real longest = ReplicaView{length.longest}.load(at);
  const auto moves = zero < longest;
  const Real root = square_root(select(moves, longest, one));
  const Real most = select(moves, Real(static_cast<ScalarOf<Real>>(length.max_rotation)) / root,
                           Real(static_cast<ScalarOf<Real>>(1e30)));
  return smaller(ReplicaView{length.requested}.load(at), most);
}

template <class At>
LARMOR_INLINE SpinFrame<typename At::Real> frame_of(const PointView& point, const At& at) {
  return {VectorView(point.spins, point.layout).load(at),
          VectorView(point.axes, point.layout).load(at)};
}

struct Turn {
  PointView point;
  TurnLength length;
  TrialView trial;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const auto p = length_of(length, at) * TangentView(point.direction, point.layout).load(at);
    const auto frame = frame_of(point, at);
    const auto e = turned_spin(frame, p);
    VectorView(trial.spins, point.layout).store(at, e);
    VectorView(trial.axes, point.layout).store(at, turned_frame(frame, p, e).u);
  }
};

void turn(const Device& device, const Extent& extent, const PointView& point,
          const TurnLength& length, const TrialView& trial) {
  for_each(device, extent, Turn{point, length, trial});
}

/// Contribution of a spin to the energy, and its field -dE/de.
template <BondClass C, class At>
LARMOR_INLINE typename At::Real evaluate(const SurfaceView& surface, const Reals& spins,
                                         const At& at, const Vec3<typename At::Real>& e,
                                         Vec3<typename At::Real>& field) {
  using Real = typename At::Real;
  const ModelView& model = surface.model;
  const VectorView view(spins, model.layout);
  const Environment<Real> w = environment_of<C>(model, view, at);
  const Real moment = RowValues<At>(surface.moment, at)[0];
  const Vec3<Real> uniform =
      moment * Vec3<Real>{Real(static_cast<ScalarOf<Real>>(surface.uniform.x)),
                          Real(static_cast<ScalarOf<Real>>(surface.uniform.y)),
                          Real(static_cast<ScalarOf<Real>>(surface.uniform.z))};
  field = effective_field(model, w, at, e) + uniform;
  return energy_share(model, w, at, e) - dot(uniform, e);
}

/// Sets the first numbers of TurnSums in `sums`.
template <class Real>
LARMOR_INLINE void set_turn_sums(const Tangent<Real>& p, const Tangent<Real>& before,
                                 const Tangent<Real>& now, Real* sums) {
  const Tangent<Real> change = now - before;
  sums[turn_slope] = dot(now, p);
  sums[turn_square] = dot(now, now);
  sums[turn_along_change] = dot(now, change);
  sums[turn_change_square] = dot(change, change);
  sums[turn_curvature] = dot(change, p);
  sums[turn_direction_square] = dot(p, p);
}

template <BondClass C>
struct EvaluateTrial {
  static constexpr int resident_blocks = 3;
  static constexpr bool backwards = true;
  SurfaceView surface;
  PointView point;
  TrialView trial;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, trial_sums, 2> operator()(const At& at) const {
    using Real = typename At::Real;
    // Compute the field first. On a GPU, values that are loaded earlier would take registers from
    // the loop over bonds.
    const Vec3<Real> e = VectorView(trial.spins, point.layout).load(at);
    Vec3<Real> field;
    Sums<Real, trial_sums, 2> sums;
    sums.value[trial_energy] = evaluate<C>(surface, trial.spins, at, e, field);
    const SpinFrame<Real> frame(e, VectorView(trial.axes, point.layout).load(at));
    const TangentView gradients(point.new_gradient, point.layout);
    const Tangent<Real> p = TangentView(point.direction, point.layout).load(at);
    const Tangent<Real> gradient = frame.across(-field);
    gradients.store(at, gradient);
    set_turn_sums(p, TangentView(point.gradient, point.layout).load(at), gradient, sums.value);
    sums.value[trial_largest_gradient] = dot(gradient, gradient);
    sums.value[trial_largest_field] = dot(field, field);
    return sums;
  }
};

void evaluate_trial(const Device& device, const Extent& extent, const SurfaceView& surface,
                    const PointView& point, const TrialView& trial, double* sums) {
  with_bond_class(surface.model.bond_class, [&](auto bond_class) {
    reduce_into(device, extent, EvaluateTrial<bond_class>{surface, point, trial}, sums);
  });
}

struct MultiplyHistory {
  static constexpr int resident_blocks = 3;
  PointView point;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, history_sums> operator()(const At& at) const {
    using Real = typename At::Real;
    const SpinLayout& layout = point.layout;
    const Tangent<Real> p = TangentView(point.direction, layout).load(at);
    const Tangent<Real> y = TangentView(point.new_gradient, layout).load(at) -
                            TangentView(point.gradient, layout).load(at);
    Sums<Real, history_sums> sums;
    for (int k = 0; k < history_length; ++k) {
      const Tangent<Real> step = TangentView(point.step[k], layout).load(at);
      const Tangent<Real> change = TangentView(point.change[k], layout).load(at);
      sums.value[history_direction_step + k] = dot(p, step);
      sums.value[history_direction_change + k] = dot(p, change);
      sums.value[history_change_step + k] = dot(y, step);
      sums.value[history_change_change + k] = dot(y, change);
    }
    return sums;
  }
};

void multiply_history(const Device& device, const Extent& extent, const PointView& point,
                      double* sums) {
  reduce_into(device, extent, MultiplyHistory{point}, sums);
}

struct AdvancePoint {
  static constexpr int resident_blocks = 3;
  static constexpr bool backwards = true;
  PointView point;
  TrialView trial;
  const double* numbers;
  int place;
  bool remembers;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    using T = Tangent<Real>;
    const SpinLayout& layout = point.layout;
    const auto number = [&](int row) { return number_of(numbers, layout, row, at); };
    const bool has_moved = !trial.spins.present();
    const TangentView gradients(point.gradient, layout), directions(point.direction, layout);
    const TangentView others(point.new_gradient, layout);
    const T p = directions.load(at);
    const T now = has_moved ? gradients.load(at) : others.load(at);
    const T old = !has_moved ? gradients.load(at) : remembers ? others.load(at) : now;
    const Real zero(0.0);
    const auto accepts = zero < number(advance_accepts), renews = zero < number(advance_renews);
    T gradient = now;
    if (!has_moved) {
      gradient = chosen(accepts, now, old);
      gradients.store(at, gradient);
      move(at, accepts);
    }
    const T step = number(advance_length) * p;
    T next = number(advance_direction) * p + number(advance_gradient) * gradient;
    if (remembers) {
      const T change = (now - old) + number(advance_reflects) * step;
      for (int k = 0; k < history_length; ++k) {
        const TangentView steps(point.step[k], layout), changes(point.change[k], layout);
        const auto learned = [&](const TangentView& view, const T& newest) {
          if (k != place) return view.load(at);
          const T kept = has_moved ? newest : chosen(accepts, newest, view.load(at));
          view.store(at, kept);
          return kept;
        };
        const T s = learned(steps, step), y = learned(changes, change);
        next = next + number(advance_step + k) * s + number(advance_change + k) * y;
      }
    }
    next = chosen(renews, next, p);
    directions.store(at, next);
    return {{dot(next, next)}};
  }

 private:
  template <class At, class Mask>
  LARMOR_INLINE void move(const At& at, const Mask& accepts) const {
    const auto take = [&](const Reals& from, const Reals& to) {
      const VectorView view(to, point.layout);
      view.store(at, chosen(accepts, VectorView(from, point.layout).load(at), view.load(at)));
    };
    take(trial.spins, point.spins);
    take(trial.axes, point.axes);
  }
};

void advance(const Device& device, const Extent& extent, const PointView& point,
             const TrialView& trial, const double* numbers, int place, bool remembers,
             double* longest) {
  reduce_into(device, extent, AdvancePoint{point, trial, numbers, place, remembers}, longest);
}

/// `of_ahead` times the vector to the next image, plus `of_behind` times the vector to the
/// previous image.
template <class At>
LARMOR_INLINE Tangent<typename At::Real> along_path(const ImagesView& images,
                                                    const typename At::Real& of_ahead,
                                                    const typename At::Real& of_behind,
                                                    const At& at) {
  const SpinLayout& layout = images.point.layout;
  return of_ahead * TangentView(images.ahead, layout).load(at) +
         of_behind * TangentView(images.behind, layout).load(at);
}

template <BondClass C>
struct EvaluateImage {
  static constexpr int resident_blocks = 3;
  static constexpr bool backwards = true;
  ImagesView images;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, image_sums, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const PointView& point = images.point;
    const VectorView spins(point.spins, point.layout);
    Vec3<Real> field;
    Sums<Real, image_sums, 1> sums;
    sums.value[image_energy] = evaluate<C>(images.surface, point.spins, at, spins.load(at), field);
    const SpinFrame<Real> frame = frame_of(point, at);
    const Tangent<Real> gradient = frame.across(-field);
    const Tangent<Real> ahead = leading_to(frame, load_neighbour_image<1>(spins, point.layout, at));
    const Tangent<Real> behind =
        leading_to(frame, load_neighbour_image<-1>(spins, point.layout, at));
    TangentView(point.new_gradient, point.layout).store(at, gradient);
    TangentView(images.ahead, point.layout).store(at, ahead);
    TangentView(images.behind, point.layout).store(at, behind);
    sums.value[image_ahead_square] = dot(ahead, ahead);
    sums.value[image_behind_square] = dot(behind, behind);
    sums.value[image_both] = dot(ahead, behind);
    sums.value[image_gradient_ahead] = dot(gradient, ahead);
    sums.value[image_gradient_behind] = dot(gradient, behind);
    sums.value[image_largest_field] = dot(field, field);
    return sums;
  }
};

void evaluate_images(const Device& device, const Extent& extent, const ImagesView& images,
                     double* sums) {
  with_bond_class(images.surface.model.bond_class, [&](auto bond_class) {
    reduce_into(device, extent, EvaluateImage<bond_class>{images}, sums);
  });
}

struct SetForce {
  static constexpr int resident_blocks = 3;
  ImagesView images;
  const double* numbers;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, force_sums, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const PointView& point = images.point;
    const SpinLayout& layout = point.layout;
    const TangentView forces(point.new_gradient, layout);
    const Tangent<Real> along = along_path(images, number_of(numbers, layout, across_ahead, at),
                                           number_of(numbers, layout, across_behind, at), at);
    const Tangent<Real> negative = forces.load(at) - along;
    forces.store(at, negative);
    Sums<Real, force_sums, 1> sums;
    set_turn_sums(TangentView(point.direction, layout).load(at),
                  TangentView(point.gradient, layout).load(at), negative, sums.value);
    sums.value[force_largest] = dot(negative, negative);
    return sums;
  }
};

void set_forces(const Device& device, const Extent& extent, const ImagesView& images,
                const double* numbers, double* sums) {
  reduce_into(device, extent, SetForce{images, numbers}, sums);
}

struct TurnImage {
  ImagesView images;
  TurnLength length;
  Reals turned;
  const double* numbers;
  bool keeps;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const PointView& point = images.point;
    const SpinLayout& layout = point.layout;
    const TangentView directions(point.direction, layout);
    Tangent<Real> turn = length_of(length, at) * directions.load(at);
    if (numbers != nullptr)
      turn = turn + along_path(images, number_of(numbers, layout, shift_ahead, at),
                               number_of(numbers, layout, shift_behind, at), at);
    const SpinFrame<Real> frame = frame_of(point, at);
    const Vec3<Real> e = turned_spin(frame, turn);
    VectorView(turned, layout).store(at, e);
    VectorView(point.axes, layout).store(at, turned_frame(frame, turn, e).u);
    if (keeps) directions.store(at, turn);
  }
};

void turn_images(const Device& device, const Extent& extent, const ImagesView& images,
                 const TurnLength& length, const Reals& turned, const double* numbers, bool keeps) {
  for_each(device, extent, TurnImage{images, length, turned, numbers, keeps});
}

struct ShiftImage {
  ImagesView images;
  Reals shifted;
  const double* numbers;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const PointView& point = images.point;
    const auto turn = along_path(images, number_of(numbers, point.layout, shift_ahead, at),
                                 number_of(numbers, point.layout, shift_behind, at), at);
    VectorView(shifted, point.layout).store(at, turned_spin(frame_of(point, at), turn));
  }
};

void shift_images(const Device& device, const Extent& extent, const ImagesView& images,
                  const Reals& shifted, const double* numbers) {
  for_each(device, extent, ShiftImage{images, shifted, numbers});
}

struct CopyVector {
  SpinLayout layout;
  Reals from, to;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    VectorView(to, layout).store(at, VectorView(from, layout).load(at));
  }
};

void copy_vectors(const Device& device, const Extent& extent, const Reals& from, const Reals& to) {
  for_each(device, extent, CopyVector{extent.layout, from, to});
}

}  // namespace

const LandscapeKernels landscape_kernels_table{
    set_axes,        perturb,    turn,        evaluate_trial, multiply_history, advance,
    evaluate_images, set_forces, turn_images, shift_images,   copy_vectors};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
