#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>

#include "larmor/atoms/potentials/snap/energy_function.hpp"
#include "larmor/atoms/potentials/snap/gpu/adjoint_by_tensor_cores.cuh"
#include "larmor/atoms/potentials/snap/gpu/component_kernel.cuh"
#include "larmor/atoms/potentials/snap/gpu/gradient_kernel.cuh"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/atoms/potentials/snap/pair_shapes.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/early_launch.cuh"

namespace larmor::atoms::snap {
namespace {

template <class T>
Array<T> array_on(const Device& device, const std::vector<T>& numbers) {
  return Array<T>(device, std::span<const T>(numbers));
}

template <class To>
std::vector<To> converted(std::span<const double> numbers) {
  return std::vector<To>(numbers.begin(), numbers.end());
}

/// Bytes of work memory for an atom. @param components number of components of all channels, if
/// each atom has its own coefficients of products; 0 if its element has them
template <class Product>
double bytes_of_atom(const SnapTablesView& t, Index channels, Index components) {
  const Index own =
      components > 0 ? 2 * components + channels * channels * channels * t.triples : 0;
  return static_cast<double>(channels * (t.full + t.half)) * sizeof(Element<Product>) +
         static_cast<double>(own) * sizeof(Product);
}

}  // namespace

class GpuSnap::Kernels {
 public:
  virtual ~Kernels() = default;
  virtual int components() const = 0;
  virtual void set_coefficients(const SnapPotential& potential) = 0;
  virtual void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                        Vec3<double>* gradient, bool adds, cudaStream_t stream) = 0;
  virtual void bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                          cudaStream_t stream) = 0;
};

template <class Real, class Product>
class GpuSnap::KernelsIn : public Kernels {
 public:
  KernelsIn(const SnapPotential& potential, std::span<const std::int32_t> element_of_type,
            const Device& device, double most_bytes);

  int components() const override { return view_.components; }
  void set_coefficients(const SnapPotential& potential) override {
    set_coefficients(potential, EnergyFunction(potential, tables_));
  }
  void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                Vec3<double>* gradient, bool adds, cudaStream_t stream) override;
  void bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                  cudaStream_t stream) override;

 private:
  void set_coefficients(const SnapPotential& potential, const EnergyFunction& function);
  void make_table(const std::vector<double>& products);
  void choose_memory();
  /// Enlarges the work arrays to hold `atoms` atoms, up to the limit of memory.
  /// @param components are the arrays of components needed too?
  void reserve(Index atoms, bool components);
  /// Calls visit(work) for every block of the atoms.
  template <class Visit>
  void for_each_block(Index atoms, bool components, const Visit& visit);
  template <int layers>
  void launch_adjoints(const std::int32_t* type, const Work<Product>& work, cudaStream_t stream);
  template <int most>
  void launch(const GpuRowsView& rows, const std::int32_t* type, const Work<Product>& work,
              double* energy, Vec3<double>* gradient, bool adds, double* components,
              cudaStream_t stream);
  /// Calls call(most) with a compile-time constant `most` >= 2J.
  template <class Call>
  void call_with_size(const Call& call) const;

  Device device_;
  SnapTables tables_;
  CouplingPlan plan_;
  double most_bytes_;
  GpuView<Product> view_{};
  std::size_t density_bytes_, tile_bytes_;
  bool staged_ = true, tensor_cores_ = false, has_table_ = false;
  unsigned multiprocessors_ = 0;
  std::size_t shared_of_block_ = 0;
  int adjoint_threads_ = adjoint_threads;

  Array<std::int32_t> element_of_type_, terms_of_pairs_, first_of_pair_;
  Array<int> pair_j1_, pair_j2_, pair_triple_, component_;
  Array<SnapElementView> element_;
  Array<PairShape<double>> shape_;
  Array<HalfPlace> place_;
  Array<Product> coefficient_, coefficient_of_half_, product_;
  Array<double> norm_, zero_, of_elements_;
  Array<ProductShare> share_;
  Array<CouplingTerm> term_;
  Array<CouplingGroup> coupling_group_;
  Array<DirectedGroup> directed_group_;
  Array<double> of_step_;
  Array<ProductTable::Product> product_of_step_;
  Array<std::int32_t> first_step_;

  Index capacity_ = 0;
  bool has_component_arrays_ = false;
  Array<Element<Product>> U_, Y_;
  Array<Product> components_, slope_, product_of_atom_;
  Array<double> energy_;
};

template <class Real, class Product>
GpuSnap::KernelsIn<Real, Product>::KernelsIn(const SnapPotential& potential,
                                             std::span<const std::int32_t> element_of_type,
                                             const Device& device, double most_bytes)
    : device_(device),
      tables_(potential.parameters.twojmax),
      plan_(tables_.view()),
      most_bytes_(most_bytes),
      element_of_type_(device, element_of_type) {
  const EnergyFunction function(potential, tables_);
  const SnapTablesView& t = tables_.view();
  const SnapParameters& p = potential.parameters;
  const int elements = static_cast<int>(potential.elements.size());
  const auto components = static_cast<Index>(function.components());

  std::vector<HalfPlace> places;
  for (int mb = 0; 2 * mb <= t.twojmax; ++mb)
    for (int j = 2 * mb; j <= t.twojmax; ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma)
        places.push_back({static_cast<std::int16_t>(mb), static_cast<std::int16_t>(j),
                          static_cast<std::int16_t>(ma)});
  std::vector<PairShape<double>> shapes;
  for (int e = 0; e < elements; ++e)
    for (int other = 0; other < elements; ++other)
      shapes.push_back(pair_shape(potential, e, other));

  const auto pairs = static_cast<std::size_t>(t.pairs);
  pair_j1_ = Array<int>(device, std::span<const int>(t.pair_j1, pairs));
  pair_j2_ = Array<int>(device, std::span<const int>(t.pair_j2, pairs));
  pair_triple_ = Array<int>(device, std::span<const int>(t.pair_triple, pairs));
  component_ =
      Array<int>(device, std::span<const int>(t.component, static_cast<std::size_t>(t.triples)));
  norm_ = Array<double>(device, std::span<const double>(t.norm, static_cast<std::size_t>(t.half)));
  coefficient_ = array_on(device, converted<Product>(tables_.coefficients()));
  coefficient_of_half_ = array_on(device, converted<Product>(tables_.coefficients_of_half()));
  share_ = array_on(device, function.shares());
  shape_ = array_on(device, shapes);
  place_ = array_on(device, places);
  term_ = array_on(device, plan_.terms);
  coupling_group_ = array_on(device, plan_.groups);
  directed_group_ = array_on(device, plan_.directed_groups);
  terms_of_pairs_ = array_on(device, plan_.terms_of_pairs);
  first_of_pair_ = array_on(device, plan_.first_of_pair);

  SnapTablesView tables = t;
  tables.pair_j1 = pair_j1_.data();
  tables.pair_j2 = pair_j2_.data();
  tables.pair_triple = pair_triple_.data();
  tables.component = component_.data();
  tables.norm = norm_.data();
  tables.pair_block = nullptr;
  tables.block = nullptr;
  tables.coefficient = tables.coefficient_of_half = nullptr;
  view_.snap = {tables,
                rotation_rule(p),
                potential.channels(),
                !p.chemflag || p.wselfallflag,
                function.is_linear(),
                p.bnormflag,
                share_.data()};
  view_.types = elements;
  view_.components = static_cast<int>(components);
  view_.element_of_type = element_of_type_.data();
  view_.shape = shape_.data();
  view_.place = place_.data();
  view_.coefficient = coefficient_.data();
  view_.coefficient_of_rows[0] = coefficient_.data();
  view_.coefficient_of_rows[1] = coefficient_of_half_.data();
  view_.term = term_.data();
  view_.coupling_group = coupling_group_.data();
  view_.coupling_groups = static_cast<int>(plan_.groups.size());
  view_.directed_group = directed_group_.data();
  view_.directed_groups = static_cast<int>(plan_.directed_groups.size());
  view_.terms_of_pairs = terms_of_pairs_.data();
  view_.first_of_pair = first_of_pair_.data();

  int shared = 0;
  cuda::check(
      cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.ordinal),
      "asking for the size of shared memory");
  shared_of_block_ = static_cast<std::size_t>(shared);
  choose_memory();
  tensor_cores_ = gpu_info(device.ordinal).major >= 8;
  int multiprocessors = 0;
  cuda::check(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.ordinal),
      "asking for the number of multiprocessors");
  multiprocessors_ = static_cast<unsigned>(multiprocessors);
  set_coefficients(potential, function);
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::set_coefficients(const SnapPotential& potential,
                                                         const EnergyFunction& function) {
  const int elements = view_.types;
  const auto components = static_cast<Index>(function.components());
  const Index numbers = function.is_linear() ? components : components * (components + 3) / 2;
  std::vector<double> products, zeros, of_elements;
  std::vector<SnapElementView> views;
  zero_ = Array<double>(device_, components * elements);
  of_elements_ = Array<double>(device_, numbers * elements);
  for (int e = 0; e < elements; ++e) {
    double constant = function.constant(e);
    const std::span<const double> beta = function.linear(e);
    if (function.is_linear()) {
      const std::vector<double> of_products = function.of_products(beta);
      products.insert(products.end(), of_products.begin(), of_products.end());
      constant -=
          std::inner_product(function.zero(e).begin(), function.zero(e).end(), beta.begin(), 0.0);
    }
    zeros.insert(zeros.end(), function.zero(e).begin(), function.zero(e).end());
    of_elements.insert(of_elements.end(), beta.data(), beta.data() + numbers);
    views.push_back({potential.channel(e), constant, nullptr, zero_.data() + e * components,
                     of_elements_.data() + e * numbers});
  }
  zero_.copy_from(zeros);
  of_elements_.copy_from(of_elements);
  product_ = array_on(device_, converted<Product>(products));
  element_ = array_on(device_, views);
  view_.product = product_.data();
  view_.element = element_.data();
  if constexpr (std::is_same_v<Product, double>) make_table(products);
}

/// Makes the table of products, if all atoms have equal coefficients. @param products (element,
/// triples)
template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::make_table(const std::vector<double>& products) {
  const auto of_element = static_cast<std::ptrdiff_t>(view_.products());
  has_table_ = tensor_cores_ && staged_ && view_.snap.channels == 1 && view_.snap.linear &&
               std::equal(products.begin() + of_element, products.end(), products.begin());
  if (!has_table_) return;
  const ProductTable table(tables_.view(), plan_, std::span(products).first(view_.products()));
  of_step_ = array_on(device_, table.coefficients);
  product_of_step_ = array_on(device_, table.products_of_step);
  first_step_ = array_on(device_, table.begin);
  view_.of_step = of_step_.data();
  view_.product_of_step = product_of_step_.data();
  view_.first_step = first_step_.data();
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::choose_memory() {
  const SnapTablesView& t = view_.snap.tables;
  density_bytes_ =
      static_cast<std::size_t>(density_warps * density_work(t.half, t.twojmax)) * sizeof(Real);
  constexpr std::size_t of_kernel = 1024;  // Bytes that kernels and the driver also need.
  tile_bytes_ = static_cast<std::size_t>(staged_elements(view_.snap.channels * t.full, tile)) *
                sizeof(Element<Product>);
  staged_ = tile_bytes_ + of_kernel <= shared_of_block_;
  if (!staged_) tile_bytes_ = 0;
  if (2 * tile_bytes_ > shared_of_block_) adjoint_threads_ = most_adjoint_threads;
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::reserve(Index atoms, bool components) {
  const SnapTablesView& t = view_.snap.tables;
  const Index channels = view_.snap.channels, products = view_.products();
  const double bytes = bytes_of_atom<Product>(t, channels, components ? view_.components : 0);
  const Index allowed = static_cast<Index>(most_bytes_ / bytes) / tile * tile;
  const Index whole = (atoms + tile - 1) / tile * tile;
  const Index capacity = std::max<Index>(tile, std::min(allowed, whole));
  if (capacity <= capacity_ && (has_component_arrays_ || !components)) return;
  U_ = {};
  Y_ = {};
  U_ = Array<Element<Product>>(device_, capacity * channels * t.full);
  Y_ = Array<Element<Product>>(device_, capacity * channels * t.half);
  if (components) {
    components_ = Array<Product>(device_, capacity * view_.components);
    slope_ = Array<Product>(device_, capacity * view_.components);
    product_of_atom_ = Array<Product>(device_, capacity * products);
    energy_ = Array<double>(device_, capacity);
  }
  capacity_ = capacity;
  has_component_arrays_ = components;
}

template <class Real, class Product>
template <class Visit>
void GpuSnap::KernelsIn<Real, Product>::for_each_block(Index atoms, bool components,
                                                       const Visit& visit) {
  reserve(atoms, components);
  for (Index first = 0; first < atoms; first += capacity_)
    visit(Work<Product>{first, std::min(capacity_, atoms - first), U_.data(), Y_.data(),
                        components_.data(), slope_.data(), product_of_atom_.data(),
                        energy_.data()});
}

template <class Real, class Product>
template <class Call>
void GpuSnap::KernelsIn<Real, Product>::call_with_size(const Call& call) const {
  if (tables_.twojmax() > 8)
    call(std::integral_constant<int, most_twojmax>());
  else
    call(std::integral_constant<int, 8>());
}

unsigned blocks_of(Index count, Index each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

template <class Kernel>
void allow_shared(const Kernel& kernel, std::size_t bytes) {
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "asking for shared memory");
}

template <class Real, class Product>
template <int layers>
void GpuSnap::KernelsIn<Real, Product>::launch_adjoints(const std::int32_t* type,
                                                        const Work<Product>& work,
                                                        cudaStream_t stream) {
  const unsigned tiles = blocks_of(work.atoms, tile);
  if constexpr (std::is_same_v<Product, double>) {
    if (has_table_) {
      // A block computes two tiles if there are enough tiles, and if shared memory can hold two
      // such blocks.
      const bool many = 4 * tile_bytes_ < shared_of_block_ && tiles >= 4 * multiprocessors_;
      const int tiles_of_block = many ? 2 : 1;
      const auto by_table = many ? find_adjoints_by_table<2> : find_adjoints_by_table<1>;
      const auto bytes =
          static_cast<std::size_t>(staged_elements(view_.snap.tables.full, tiles_of_block * tile)) *
          sizeof(Element<double>);
      allow_shared(by_table, bytes);
      cuda::launch(stream,
                   {(tiles + tiles_of_block - 1) / tiles_of_block,
                    many ? table_threads : adjoint_threads_, bytes},
                   by_table, view_, work);
      return;
    }
    if (tensor_cores_) {
      const auto adjoints =
          staged_ ? find_adjoints_by_tensor_cores<true> : find_adjoints_by_tensor_cores<false>;
      allow_shared(adjoints, tile_bytes_);
      cuda::launch(stream, {tiles, adjoint_threads_, tile_bytes_}, adjoints, view_, type, work);
      return;
    }
  }
  const auto adjoints =
      staged_ ? find_adjoints<layers, true, Product> : find_adjoints<layers, false, Product>;
  allow_shared(adjoints, tile_bytes_);
  cuda::launch(stream, {tiles, adjoint_threads_, tile_bytes_}, adjoints, view_, type, work);
}

template <class Real, class Product>
template <int most>
void GpuSnap::KernelsIn<Real, Product>::launch(const GpuRowsView& rows, const std::int32_t* type,
                                               const Work<Product>& work, double* energy,
                                               Vec3<double>* gradient, bool adds,
                                               double* components, cudaStream_t stream) {
  constexpr int layers = layers_of_group(most);
  const auto densities = find_densities<most, Real, Product>;
  allow_shared(densities, density_bytes_);
  {
    const cuda::LaunchRegion region(device_.ordinal, "densities of snap");
    cuda::launch_early(device_.ordinal, stream, densities, blocks_of(work.atoms, density_warps),
                       density_warps * warp_size, density_bytes_, view_, rows, type, work);
  }
  const unsigned tiles = blocks_of(work.atoms, tile);
  if (components != nullptr || !view_.snap.linear) {
    const auto all_components =
        staged_ ? find_components<layers, true, Product> : find_components<layers, false, Product>;
    allow_shared(all_components, tile_bytes_);
    cuda::launch(stream, {tiles, adjoint_threads_, tile_bytes_}, all_components, view_, type, work);
  }
  constexpr int threads = 128;
  if (components != nullptr) {
    cuda::launch(stream, cuda::shape_of(work.atoms * view_.components, 1, threads),
                 copy_components<Product>, view_, work, components);
    return;
  }
  if (!view_.snap.linear)
    cuda::launch(stream, cuda::shape_of(work.atoms, 1, threads), find_slopes<Product>, view_, type,
                 work);
  {
    const cuda::LaunchRegion region(device_.ordinal, "adjoints of snap");
    launch_adjoints<layers>(type, work, stream);
  }
  const cuda::LaunchRegion region(device_.ordinal, "gradients of snap");
  const auto gradients = find_gradients<most, Real, Product>;
  cuda::launch_early(device_.ordinal, stream, gradients, blocks_of(work.atoms, gradient_warps),
                     gradient_warps * warp_size, 0, view_, rows, type, work, energy, gradient,
                     adds);
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::evaluate(const GpuRowsView& rows, const std::int32_t* type,
                                                 double* energy, Vec3<double>* gradient, bool adds,
                                                 cudaStream_t stream) {
  for_each_block(rows.atoms, !view_.snap.linear, [&](const Work<Product>& work) {
    call_with_size([&](auto most) {
      launch<most>(rows, type, work, energy, gradient, adds, nullptr, stream);
    });
  });
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::bispectrum(const GpuRowsView& rows,
                                                   const std::int32_t* type, double* result,
                                                   cudaStream_t stream) {
  for_each_block(rows.atoms, true, [&](const Work<Product>& work) {
    call_with_size([&](auto most) {
      launch<most>(rows, type, work, nullptr, nullptr, false, result, stream);
    });
  });
}

GpuSnap::GpuSnap(const SnapPotential& potential, std::span<const std::int32_t> element_of_type,
                 const Device& device, double most_bytes)
    : cutoff_(potential.largest_cutoff()) {
  switch (device.precision) {
    case Precision::double_numbers:
      kernels_ = std::make_unique<KernelsIn<double, double>>(potential, element_of_type, device,
                                                             most_bytes);
      break;
    case Precision::mixed_numbers:
      kernels_ = std::make_unique<KernelsIn<double, float>>(potential, element_of_type, device,
                                                            most_bytes);
      break;
    case Precision::single_numbers:
      kernels_ =
          std::make_unique<KernelsIn<float, float>>(potential, element_of_type, device, most_bytes);
  }
}

GpuSnap::~GpuSnap() = default;

double GpuSnap::work_bytes(const SnapPotential& potential, Index atoms) {
  const SnapParameters& p = potential.parameters;
  const int elements = static_cast<int>(potential.elements.size());
  return bytes_of_atom<double>(SnapTables(p.twojmax).view(), potential.channels(),
                               p.quadraticflag ? component_count(p, elements) : 0) *
         static_cast<double>(atoms);
}

int GpuSnap::components() const { return kernels_->components(); }

void GpuSnap::evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                       Vec3<double>* gradient, bool adds, CUstream_st* stream) {
  kernels_->evaluate(rows, type, energy, gradient, adds, stream);
}

void GpuSnap::set_coefficients(const SnapPotential& potential) {
  kernels_->set_coefficients(potential);
}

void GpuSnap::bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                         CUstream_st* stream) {
  kernels_->bispectrum(rows, type, result, stream);
}

}  // namespace larmor::atoms::snap
