#pragma once
// Y of a tile of atoms by tensor cores in double precision. The sums over products of elements are
// matrix products: coefficients (layer, product) times products (product, atom). Each matrix
// product has eight layers, four products and eight atoms. Each lane computes one of the products
// of elements.

#include "larmor/atoms/potentials/snap/gpu/adjoint_kernel.cuh"

namespace larmor::atoms::snap {

inline constexpr int table_threads = 384;
inline constexpr int products_at_once = ProductTable::products;

/// Adds a, (8, 4), times b, (4, 8), to c, (8, 8). A lane with row = lane / 4 and column = lane % 4
/// has a (row, column), b (column, row), c (row, 2 column) and c (row, 2 column + 1).
__device__ inline void multiply_add(double (&c)[2], double a, double b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a), "d"(b));
#else
  const int row = static_cast<int>(threadIdx.x) % warp_size / 4;
  const int column = 2 * (static_cast<int>(threadIdx.x) % 4);
  for (int k = 0; k < products_at_once; ++k) {
    const double left = __shfl_sync(every_lane, a, 4 * row + k);
    c[0] += left * __shfl_sync(every_lane, b, 4 * column + k);
    c[1] += left * __shfl_sync(every_lane, b, 4 * (column + 1) + k);
  }
#endif
}

/// Sums of real and imaginary parts.
struct ComplexSums {
  double re[2] = {0, 0}, im[2] = {0, 0};

  __device__ void add(double coefficient, const Complex<double>& product) {
    multiply_add(re, coefficient, product.re);
    multiply_add(im, coefficient, product.im);
  }
  __device__ ComplexSums negative() const { return {{-re[0], -re[1]}, {-im[0], -im[1]}}; }
};

/// Writes Y for a lane's layer and two atoms. @param n number of the first atom in the block of
/// atoms
__device__ inline void write_sums(const GpuView<double>& view, const CouplingGroup& group,
                                  int direction, int layer, int channel, Index n,
                                  const ComplexSums& sums, const Work<double>& work) {
  const SnapTablesView& t = view.snap.tables;
  const int j = group.lowest_j + 2 * layer;
  if (j > t.twojmax) return;
  const int place = t.row_start[j][(group.q + j) / 2] + (direction * group.p + j) / 2;
#pragma unroll
  for (int c = 0; c < 2; ++c)
    if (n + c < work.atoms)
      work.Y[((n + c) * view.snap.channels + channel) * t.half + place] = {sums.re[c], sums.im[c]};
}

/// The elements of a term that a lane reads: those of its atom, in blocks of four columns.
struct RowsOfTerm {
  const Element<double>*first, *other;  ///< at the lane's column
  int first_step, other_step;           ///< from a row to the next
  int block_step;                       ///< from a block of four columns of `first` to the next
  int to_last_block;                    ///< to the last block, which may have fewer columns
};

/// Z of one term. @tparam column_blocks blocks of four columns, the last one maybe incomplete
/// @param a coefficients of the columns, for the lane's layer and column
/// @param c_b coefficients of the rows, for the lane's layer; null if it has none
template <int column_blocks>
__device__ ComplexSums sum_rows(const RowsOfTerm& rows, int count, const double (&a)[column_blocks],
                                const double* c_b) {
  ComplexSums Z;
  const Element<double>*u = rows.first, *v = rows.other;
#pragma unroll 2
  for (int row = 0; row < count; ++row, u += rows.first_step, v -= rows.other_step) {
    const double of_row = c_b != nullptr ? c_b[row] : 0;
#pragma unroll
    for (int n = 0; n < column_blocks; ++n) {
      const int shift = n + 1 == column_blocks ? rows.to_last_block : n * rows.block_step;
      const Element<double> x = u[shift], y = v[-shift];
      Z.add(of_row * a[n], Complex<double>{x.re, x.im} * Complex<double>{y.re, y.im});
    }
  }
  return Z;
}

/// Z of one term, for the lane's layer and two atoms.
template <int column_blocks>
__device__ ComplexSums couple_by_tensor_cores(const GpuView<double>& view, const CouplingTerm& term,
                                              bool same, int direction, int lane,
                                              const TileOfDensities<double>& U,
                                              const TileOfDensities<double>& V) {
  const int layer = lane / products_at_once - term.low, column = lane % products_at_once;
  const int atom = lane / products_at_once;
  const bool alike = same && term.rows_alike > 0;
  const bool coupled = layer >= 0 && layer < term.high - term.low;
  const double* c_b = view.coefficient_of_rows[alike] + term.of_rows + layer * term.row_stride;
  const double* c_a = view.coefficient + term.of_columns + layer * term.columns;
  double a[column_blocks];
#pragma unroll
  for (int n = 0; n < column_blocks; ++n) {
    const int k = n * products_at_once + column;
    a[n] = coupled && k < term.columns ? c_a[k] : 0;
  }
  // A missing column has the coefficient 0. Its lane reads the elements of an existing column.
  const int last = (column_blocks - 1) * products_at_once;
  const bool exists = last + column < term.columns;
  const int first = direction > 0 ? term.first : term.mirrored_first;
  const int other = direction > 0 ? term.other : term.mirrored_other;
  const int to_column = column_blocks > 1 || exists ? direction * column : 0;
  const RowsOfTerm rows{U.U + (first + to_column) * U.stride + atom,
                        V.U + (other - to_column) * V.stride + atom,
                        term.first_step * U.stride,
                        term.other_step * V.stride,
                        direction * products_at_once * U.stride,
                        (exists ? direction * last : -to_column) * U.stride};
  return sum_rows<column_blocks>(rows, alike ? term.rows_alike : term.rows, a,
                                 coupled ? c_b : nullptr);
}

template <bool staged>
__global__ void __launch_bounds__(most_adjoint_threads)
    find_adjoints_by_tensor_cores(const __grid_constant__ GpuView<double> view,
                                  const std::int32_t* type,
                                  const __grid_constant__ Work<double> work) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels, lane = threadIdx.x % warp_size;
  const TileOfDensities<double> U = densities_of_tile<staged>(view, work, shared, &counter);
  // A lane has the sums of one layer and two atoms.
  const int layer = lane / products_at_once, column = lane % products_at_once;
  const ProductCoefficients<double> coefficient[2] = {{view, type, work, 2 * column},
                                                      {view, type, work, 2 * column + 1}};
  while (true) {
    const int number = next_task(&counter, lane);
    if (number >= view.directed_groups * channels) return;
    const DirectedGroup directed = view.directed_group[number / channels];
    const CouplingGroup group = view.coupling_group[directed.group];
    const int m = number % channels, direction = directed.direction;
    ComplexSums Y;
    for (int k = 0; k < channels; ++k)
      for (int l = 0; l < channels; ++l) {
        const TileOfDensities<double> first = U.of_channel(k, t.full);
        const TileOfDensities<double> second = U.of_channel(l, t.full);
        for (int i = group.begin; i < group.end; ++i) {
          const CouplingTerm term = view.term[i];
          const auto couple = [&]<int column_blocks>(std::integral_constant<int, column_blocks>) {
            return couple_by_tensor_cores<column_blocks>(view, term, k == l, direction, lane, first,
                                                         second);
          };
          ComplexSums Z;
          switch ((term.columns + products_at_once - 1) / products_at_once) {
            case 1:
              Z = couple(std::integral_constant<int, 1>());
              break;
            case 2:
              Z = couple(std::integral_constant<int, 2>());
              break;
            case 3:
              Z = couple(std::integral_constant<int, 3>());
              break;
            default:
              Z = couple(std::integral_constant<int, 4>());
          }
          const int of_layer = layer - term.low;
          if (of_layer < 0 || layer >= term.high) continue;
          const int of_term =
              ((k * channels + l) * channels + m) * t.triples + term.triple + of_layer;
          const bool opposite =
              direction < 0 && (of_layer % 2 == 0 ? term.sign < 0 : term.sign > 0);
#pragma unroll
          for (int c = 0; c < 2; ++c) {
            const double of_product = coefficient[c][of_term];
            const double factor = opposite ? -of_product : of_product;
            Y.re[c] += factor * Z.re[c];
            Y.im[c] += factor * Z.im[c];
          }
        }
      }
    write_sums(view, group, direction, layer, m, Index(blockIdx.x) * tile + 2 * column, Y, work);
  }
}

/// The data that a lane reads for the next steps, while it computes the current ones.
struct StepsOfTable {
  ProductTable::Product product[ProductTable::steps_at_once];
  double coefficient[ProductTable::steps_at_once];

  __device__ StepsOfTable(const GpuView<double>& view, int step, int lane) {
#pragma unroll
    for (int n = 0; n < ProductTable::steps_at_once; ++n) {
      product[n] = view.product_of_step[(step + n) * products_at_once + lane % products_at_once];
      coefficient[n] = view.of_step[Index(step + n) * warp_size + lane];
    }
  }
};

/// Y of a potential with one channel and with coefficients that are equal for all atoms. A block of
/// threads computes several tiles, which share the reads of the table.
/// @tparam tiles tiles of a block of threads
template <int tiles>
__global__ void __launch_bounds__(tiles == 2 ? table_threads : most_adjoint_threads,
                                  tiles == 2 ? 2 : 1)
    find_adjoints_by_table(const __grid_constant__ GpuView<double> view,
                           const __grid_constant__ Work<double> work) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int lane = threadIdx.x % warp_size;
  constexpr int atoms = tiles * tile, stride = padded(atoms);
  const Index first_tile = Index(blockIdx.x) * tiles;
  auto* const U = reinterpret_cast<Element<double>*>(shared);
  for (int local_tile = 0; local_tile < tiles && (first_tile + local_tile) * tile < work.atoms;
       ++local_tile) {
    const Element<double>* from = work.U + (first_tile + local_tile) * t.full * tile;
    for (int n = threadIdx.x; n < t.full * tile; n += blockDim.x)
      U[n / tile * stride + local_tile * tile + n % tile] = from[n];
  }
  reset_counter(&counter);
  const int layer = lane / products_at_once, column = lane % products_at_once;
  const Element<double>* const of_lane = U + lane / products_at_once;
  while (true) {
    const int number = next_task(&counter, lane);
    if (number >= view.coupling_groups) return;
    const CouplingGroup group = view.coupling_group[number];
    const auto sum = [&]<bool mirrored>(std::bool_constant<mirrored>) {
      ComplexSums Y[tiles], opposite[tiles];
      const int end = view.first_step[number + 1];
      int step = view.first_step[number];
      StepsOfTable next(view, step, lane);
      for (; step < end; step += ProductTable::steps_at_once) {
        const StepsOfTable steps = next;
        next = StepsOfTable(view, step + ProductTable::steps_at_once, lane);
#pragma unroll
        for (int n = 0; n < ProductTable::steps_at_once; ++n) {
          const ProductTable::Product factors = steps.product[n];
          const double coefficient = steps.coefficient[n];
          const auto product = [&](int first, int other, int local_tile) {
            const Element<double> x = of_lane[first * stride + local_tile * tile];
            const Element<double> y = of_lane[other * stride + local_tile * tile];
            return Complex<double>{x.re, x.im} * Complex<double>{y.re, y.im};
          };
#pragma unroll
          for (int local_tile = 0; local_tile < tiles; ++local_tile)
            Y[local_tile].add(coefficient, product(factors.first, factors.other, local_tile));
          if constexpr (mirrored) {
            const bool negative = (factors.mirrored_first & ProductTable::opposite) != 0;
            const int first = factors.mirrored_first & ~ProductTable::opposite;
#pragma unroll
            for (int local_tile = 0; local_tile < tiles; ++local_tile)
              opposite[local_tile].add(negative ? -coefficient : coefficient,
                                       product(first, factors.mirrored_other, local_tile));
          }
        }
      }
#pragma unroll
      for (int local_tile = 0; local_tile < tiles; ++local_tile) {
        const Index n = (first_tile + local_tile) * tile + 2 * column;
        write_sums(view, group, 1, layer, 0, n, Y[local_tile], work);
        if constexpr (mirrored)
          write_sums(view, group, -1, layer, 0, n,
                     layer % 2 == 0 ? opposite[local_tile] : opposite[local_tile].negative(), work);
      }
    };
    if (group.mirrored)
      sum(std::true_type());
    else
      sum(std::false_type());
  }
}

}  // namespace larmor::atoms::snap
