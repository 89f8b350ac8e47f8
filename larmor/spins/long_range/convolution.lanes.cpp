#include "larmor/core/pack.hpp"
#include "larmor/spins/long_range/convolution_kernel.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using Vector = Native<double>::Number;
constexpr Index width = Native<double>::lanes;

LARMOR_INLINE Vector load(const double* p) {
  return *reinterpret_cast<const Native<double>::Unaligned*>(p);
}
LARMOR_INLINE void store(double* p, const Vector& v) {
  *reinterpret_cast<Native<double>::Unaligned*>(p) = v;
}

/// Elements 0, 2, ... of a and of b in turn.
LARMOR_INLINE Vector even(const Vector& a, const Vector& b) {
#if defined(__AVX512F__)
  return _mm512_unpacklo_pd(a, b);
#elif defined(__AVX__)
  return _mm256_unpacklo_pd(a, b);
#elif defined(__SSE2__)
  return _mm_unpacklo_pd(a, b);
#else
  Vector r;
  for (int l = 0; l < width; l += 2) {
    r[l] = a[l];
    r[l + 1] = b[l];
  }
  return r;
#endif
}
/// Elements 1, 3, ... of a and of b in turn.
LARMOR_INLINE Vector odd(const Vector& a, const Vector& b) {
#if defined(__AVX512F__)
  return _mm512_unpackhi_pd(a, b);
#elif defined(__AVX__)
  return _mm256_unpackhi_pd(a, b);
#elif defined(__SSE2__)
  return _mm_unpackhi_pd(a, b);
#else
  Vector r;
  for (int l = 0; l < width; l += 2) {
    r[l] = a[l + 1];
    r[l + 1] = b[l + 1];
  }
  return r;
#endif
}

struct Complex {
  Vector re, im;
};
struct Complex3 {
  Complex x, y, z;
};

/// Numbers of a group, `width` of them from the first and as many from the second half.
LARMOR_INLINE Complex load_halves(const double* group) {
  const Vector first = load(group), second = load(group + wave_group);
  return {even(first, second), odd(first, second)};
}
LARMOR_INLINE void store_halves(double* group, const Complex& z) {
  store(group, even(z.re, z.im));
  store(group + wave_group, odd(z.re, z.im));
}

/// Component c of a real tensor.
struct RealTensor {
  const double* value;
  LARMOR_INLINE Vector operator()(Index c) const { return load(value + c * wave_group); }
};
/// Component c of a complex tensor, or its conjugate.
template <bool conjugate>
struct ComplexTensor {
  const double* value;
  LARMOR_INLINE Complex operator()(Index c) const {
    const Vector im = load(value + (2 * c + 1) * wave_group);
    return {load(value + 2 * c * wave_group), conjugate ? -im : im};
  }
};

LARMOR_INLINE void add_product(const Vector& t, const Complex& z, Complex& sum) {
  sum.re = sum.re + t * z.re;
  sum.im = sum.im + t * z.im;
}
LARMOR_INLINE void add_product(const Complex& t, const Complex& z, Complex& sum) {
  sum.re = sum.re + t.re * z.re - t.im * z.im;
  sum.im = sum.im + t.re * z.im + t.im * z.re;
}
/// h += T m
template <class Tensor>
LARMOR_INLINE void add_product(const Tensor& T, const Complex3& m, Complex3& h) {
  const auto xx = T(0), xy = T(1), xz = T(2), yy = T(3), yz = T(4), zz = T(5);
  add_product(xx, m.x, h.x);
  add_product(xy, m.y, h.x);
  add_product(xz, m.z, h.x);
  add_product(xy, m.x, h.y);
  add_product(yy, m.y, h.y);
  add_product(yz, m.z, h.y);
  add_product(xz, m.x, h.z);
  add_product(yz, m.y, h.z);
  add_product(zz, m.z, h.z);
}

LARMOR_INLINE Complex3 load_moment(const double* field, Index stride) {
  return {load_halves(field), load_halves(field + stride), load_halves(field + 2 * stride)};
}
LARMOR_INLINE void store_field(double* field, Index stride, const Complex3& h) {
  store_halves(field, h.x);
  store_halves(field + stride, h.y);
  store_halves(field + 2 * stride, h.z);
}

/// The product at the wave vectors of one load_halves, to which the pointers point. @tparam fixed
/// number of atoms, known so that the loops unroll; 0: any
template <Index fixed>
LARMOR_INLINE void multiply_part(const ProductRequest& r, const double* tensors, double* fields,
                                 Complex3* moments) {
  const Index atoms = fixed > 0 ? fixed : r.atoms;
  for (Index a = 0; a < atoms; ++a)
    moments[a] = load_moment(fields + 3 * a * r.field_stride, r.field_stride);
  for (Index a = 0; a < atoms; ++a) {
    Complex3 h{};
    add_product(RealTensor{tensors}, moments[a], h);
    // T_ba is the conjugate of T_ab.
    for (Index b = 0; b < a; ++b)
      add_product(ComplexTensor<true>{tensors + pair_tensor_begin(atoms, b, a)}, moments[b], h);
    for (Index b = a + 1; b < atoms; ++b)
      add_product(ComplexTensor<false>{tensors + pair_tensor_begin(atoms, a, b)}, moments[b], h);
    store_field(fields + 3 * a * r.field_stride, r.field_stride, h);
  }
}

template <Index fixed>
LARMOR_INLINE void multiply_groups(const ProductRequest& r, Complex3* moments) {
  const Index tensor_stride = group_tensor_doubles(fixed > 0 ? fixed : r.atoms);
  for (Index g = r.first; g < r.last; ++g)
    for (Index part = 0; part < wave_group; part += width)
      multiply_part<fixed>(r, r.tensors + g * tensor_stride + part,
                           r.fields + 2 * wave_group * g + part, moments);
}

void multiply(const ProductRequest& r) {
  Complex3 known[2];
  if (r.atoms == 1) {
    multiply_groups<1>(r, known);
  } else if (r.atoms == 2) {
    multiply_groups<2>(r, known);
  } else {
    multiply_groups<0>(r, reinterpret_cast<Complex3*>(r.work));
  }
}

}  // namespace

extern const ProductKernel product_kernel_of_set;
const ProductKernel product_kernel_of_set = multiply;

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
