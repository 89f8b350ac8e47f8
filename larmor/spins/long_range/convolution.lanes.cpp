#include "larmor/spins/long_range/convolution_product.hpp"

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

/// Interleaves the even elements of a and b.
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
/// Interleaves the odd elements of a and b.
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

using Complex = ComplexNumber<double>;
using Moment = Complex3<double>;

/// Loads numbers of a group: `width` from its first and `width` from its second half.
LARMOR_INLINE Complex load_halves(const double* group) {
  const Vector first = load(group), second = load(group + wave_group);
  return {even(first, second), odd(first, second)};
}
LARMOR_INLINE void store_halves(double* group, const Complex& z) {
  store(group, even(z.re, z.im));
  store(group + wave_group, odd(z.re, z.im));
}

LARMOR_INLINE Moment load_moment(const double* field, Index stride) {
  return {load_halves(field), load_halves(field + stride), load_halves(field + 2 * stride)};
}
LARMOR_INLINE void store_field(double* field, Index stride, const Moment& h) {
  store_halves(field, h.x);
  store_halves(field + stride, h.y);
  store_halves(field + 2 * stride, h.z);
}

struct LoadTensor {
  const double* tensors;
  LARMOR_INLINE Vector operator()(Index n) const { return load(tensors + n); }
};
struct MomentOf {
  const Moment* moments;
  LARMOR_INLINE const Moment& operator()(Index atom) const { return moments[atom]; }
};
struct StoreField {
  double* fields;
  Index stride;
  LARMOR_INLINE void operator()(Index atom, const Moment& h) const {
    store_field(fields + 3 * atom * stride, stride, h);
  }
};

/// The product at the wave vectors that load_halves loads together.
/// @param tensors, fields numbers of the first of these wave vectors
/// @tparam fixed number of atoms at compile time, so that loops unroll; 0: any
template <Index fixed>
LARMOR_INLINE void multiply_pack(const ProductRequest& r, const double* tensors, double* fields,
                                 Moment* moments) {
  const Index atoms = fixed > 0 ? fixed : r.atoms;
  for (Index a = 0; a < atoms; ++a)
    moments[a] = load_moment(fields + 3 * a * r.field_stride, r.field_stride);
  multiply_atoms<double>(atoms, LoadTensor{tensors}, MomentOf{moments},
                         StoreField{fields, r.field_stride});
}

template <Index fixed>
LARMOR_INLINE void multiply_groups(const ProductRequest& r, Moment* moments) {
  const Index tensor_stride = group_tensor_doubles(fixed > 0 ? fixed : r.atoms);
  for (Index g = r.first; g < r.last; ++g)
    for (Index first = 0; first < wave_group; first += width)
      multiply_pack<fixed>(r, r.tensors + g * tensor_stride + first,
                           r.fields + 2 * wave_group * g + first, moments);
}

void multiply(const ProductRequest& r) {
  Moment known[2];
  if (r.atoms == 1) {
    multiply_groups<1>(r, known);
  } else if (r.atoms == 2) {
    multiply_groups<2>(r, known);
  } else {
    multiply_groups<0>(r, reinterpret_cast<Moment*>(r.work));
  }
}

}  // namespace

const ProductKernel product_kernel_table = multiply;

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
