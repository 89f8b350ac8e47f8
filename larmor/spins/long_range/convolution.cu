#include "larmor/spins/long_range/convolution_gpu.hpp"
#include "larmor/spins/long_range/convolution_product.hpp"
#include "larmor/spins/long_range/grid_fields.cuh"

namespace larmor::spins {
namespace {

/// Fields have the order (lane, atom, component), and their numbers the order (wave vector, re im).
template <class Real>
struct ProductView {
  Index atoms, lanes, wave_vectors;
  Index field_stride;
  const Real* tensors;
  const Real* moments;
  Real* fields;  ///< equal to `moments` for few atoms
};

template <class Real>
struct LoadTensor {
  const Real* tensors;
  __device__ Real operator()(Index n) const { return tensors[n]; }
};
template <class Real>
struct LoadMoment {
  const Real* numbers;
  Index stride;
  __device__ Complex3<Real> operator()(Index atom) const {
    const Real *x = numbers + 3 * atom * stride, *y = x + stride, *z = y + stride;
    return {{x[0], x[1]}, {y[0], y[1]}, {z[0], z[1]}};
  }
};
template <class Real>
struct MomentOf {
  const Complex3<Real>* moments;
  __device__ const Complex3<Real>& operator()(Index atom) const { return moments[atom]; }
};
template <class Real>
struct StoreField {
  Real* numbers;
  Index stride;
  __device__ void operator()(Index atom, const Complex3<Real>& h) const {
    Real *x = numbers + 3 * atom * stride, *y = x + stride, *z = y + stride;
    x[0] = h.x.re;
    x[1] = h.x.im;
    y[0] = h.y.re;
    y[1] = h.y.im;
    z[0] = h.z.re;
    z[1] = h.z.im;
  }
};

/// Each thread computes one wave vector of one lane. The lanes of a wave vector share its tensors
/// and are in one thread block.
/// @tparam fixed number of atoms whose moments stay in registers; 0: any
template <class Real, Index fixed>
__global__ void product_kernel(ProductView<Real> p) {
  const Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= p.wave_vectors) return;
  const Index atoms = fixed > 0 ? fixed : p.atoms;
  const Index first = threadIdx.y * 3 * atoms * p.field_stride + 2 * k;
  const LoadTensor<Real> tensors{p.tensors + k / wave_group * group_tensor_doubles(atoms) +
                                 place_in_group(k % wave_group)};
  const LoadMoment<Real> load{p.moments + first, p.field_stride};
  const StoreField<Real> store{p.fields + first, p.field_stride};
  if constexpr (fixed > 0) {
    Complex3<Real> moments[fixed];
#pragma unroll
    for (Index a = 0; a < fixed; ++a) moments[a] = load(a);
    multiply_atoms<Real>(fixed, tensors, MomentOf<Real>{moments}, store);
  } else {
    multiply_atoms<Real>(atoms, tensors, load, store);
  }
}

/// Up to this number of atoms, fields are multiplied in place.
constexpr Index few_atoms = 4;

template <class Real>
class GpuConvolutionIn : public GpuConvolution {
 public:
  GpuConvolutionIn(const Device& device, const GpuConvolutionTables& tables)
      : device_(device),
        grid_{tables.grid},
        cells_(tables.cells),
        atoms_(tables.atoms),
        position_(device, tables.position),
        weight_(device, tables.weight),
        tensors_(device, std::vector<Real>(tables.tensors.begin(), tables.tensors.end())) {}

  void store_field(const SpinLayout& layout, const Reals& spins, Index block,
                   const Reals& field) override {
    const GridFields fields = fields_of(layout, block);
    prepare(fields.fields());
    gather(device_, fields, spins, moments_.data());
    fft_->forward(moments_.data());
    multiply(fields);
    fft_->backward(convolved());
    scatter(device_, fields, convolved(), field);
  }

  void transform_only(const SpinLayout& layout, Index times) override {
    prepare(fields_of(layout, 0).fields());
    for (Index n = 0; n < times * layout.blocks(); ++n) {
      fft_->forward(moments_.data());
      fft_->backward(moments_.data());
    }
  }

 private:
  GridFields fields_of(const SpinLayout& layout, Index block) const {
    return {grid_,
            {cells_[0], cells_[1], cells_[2]},
            layout,
            block,
            1,
            atoms_,
            position_.data(),
            weight_.data()};
  }

  /// Allocates permanent working memory for a number of fields.
  void prepare(Index fields) {
    if (fields == fields_) return;
    const Index numbers = fields * grid_.field_stride();
    moments_ = Array<Real>(device_, numbers);
    if (atoms_ > few_atoms) products_ = Array<Real>(device_, numbers);
    fft_ = std::make_unique<cuda::GpuFft<Real>>(device_, grid_, fields, cuda::FftDirections::both);
    fields_ = fields;
  }

  Real* convolved() { return atoms_ > few_atoms ? products_.data() : moments_.data(); }

  void multiply(const GridFields& fields) {
    const ProductView<Real> view{
        atoms_,          fields.lanes(),  grid_.half_points(), grid_.field_stride(),
        tensors_.data(), moments_.data(), convolved()};
    switch (atoms_) {
      case 1:
        return launch<1>(view);
      case 2:
        return launch<2>(view);
      case 3:
        return launch<3>(view);
      case few_atoms:
        return launch<few_atoms>(view);
      default:
        return launch<0>(view);
    }
  }

  template <Index fixed>
  void launch(const ProductView<Real>& view) {
    const dim3 threads(static_cast<unsigned>(larmor::detail::block_threads / view.lanes),
                       static_cast<unsigned>(view.lanes));
    const Index blocks = (view.wave_vectors + threads.x - 1) / threads.x;
    const cuda::LaunchRegion region(device_.ordinal, "product of tensors and moments");
    product_kernel<Real, fixed>
        <<<static_cast<unsigned>(blocks), threads, 0, cuda::stream(device_.ordinal)>>>(view);
    larmor::detail::check_cuda(cudaGetLastError());
  }

  Device device_;
  cuda::FftGrid grid_;
  std::array<Index, 3> cells_;
  Index atoms_, fields_ = 0;
  Array<std::int32_t> position_;
  Array<double> weight_;
  Array<Real> tensors_, moments_, products_;
  std::unique_ptr<cuda::GpuFft<Real>> fft_;
};

}  // namespace

std::unique_ptr<GpuConvolution> make_gpu_convolution(const Device& device,
                                                     const GpuConvolutionTables& tables) {
  if (device.precision == Precision::single_numbers)
    return std::make_unique<GpuConvolutionIn<float>>(device, tables);
  return std::make_unique<GpuConvolutionIn<double>>(device, tables);
}

}  // namespace larmor::spins
