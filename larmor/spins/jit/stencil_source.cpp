#include "larmor/spins/jit/stencil_source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <map>

#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::spins {
namespace {

/// Position of a vector relative to the patch: its sublattice, then Z, Y, X of its cell.
using Source = std::array<int, 4>;
using Row = std::array<int, 3>;

/// Contribution of a source to a site of the patch.
struct Share {
  int site;  ///< site of the patch
  const SublatticeBond* bond;
  bool is_earlier;  ///< does the source have an earlier colour than the site?
};

const char* numbers_of(Precision precision) {
  switch (precision) {
    case Precision::double_numbers:
      return "DoubleNumbers";
    case Precision::single_numbers:
      return "SingleNumbers";
    default:
      return "MixedNumbers";
  }
}

/// The shortest shift along a periodic direction.
int wrapped(Index shift, Index cells) {
  const Index s = ((shift % cells) + cells) % cells;
  return static_cast<int>(2 * s > cells ? s - cells : s);
}

std::string variable(char axis, int shift) {
  return fmt::format("{}{}{}", axis, shift < 0 ? "m" : "p", shift < 0 ? -shift : shift);
}

/// Text of the coordinate + shift on a ring of `cells` cells, |shift| < cells.
std::string shifted(const char* coordinate, int shift, Index cells) {
  if (shift == 0) return coordinate;
  if ((cells & (cells - 1)) == 0)
    return fmt::format("(({} + {}u) & {}u)", coordinate, shift < 0 ? shift + cells : shift,
                       cells - 1);
  const Index up = shift > 0 ? shift : shift + cells;
  return fmt::format("({0} < {1}u ? {0} + {2}u : {0} - {1}u)", coordinate, cells - up, up);
}

std::string product(std::initializer_list<std::string> factors) {
  std::string text;
  for (const std::string& factor : factors) {
    if (factor == "1u") continue;
    text += (text.empty() ? "" : " * ") + factor;
  }
  return text.empty() ? "1u" : text;
}

class Writer {
 public:
  Writer(const Stencil& stencil, const StencilKernel& kernel)
      : stencil_(stencil), kernel_(kernel), shape_(kernel.shape) {}

  std::string text() {
    tables();
    sums();
    body();
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }

  bool one_replica() const { return shape_.lanes == 1; }
  /// Offsets in numbers: from a site to the next, and from a component to the next.
  Index stride() const { return one_replica() ? 1 : 3 * lane_count; }
  Index component_stride() const { return one_replica() ? padded_sites() : lane_count; }
  Index padded_sites() const { return SpinLayout{stencil_.sites(), 1, 0}.padded_sites(); }

  /// Constants of the sites of every patch: storage position and canonical site in cell (0, 0, 0),
  /// and the cell relative to the first cell of the patch.
  void tables() {
    const std::array<Index, 3> step = stencil_.canonical_strides();
    std::string first, canonical, y, z;
    for (const std::vector<PatchSite>& patch : shape_.patches)
      for (const PatchSite& site : patch) {
        const Sublattice& s = stencil_.sublattices[static_cast<std::size_t>(site.sublattice)];
        first += fmt::format("{}u, ", s.first);
        canonical += fmt::format("{}u, ", stencil_.canonical_origin(s) + step[0] * site.cell[0] +
                                              step[1] * site.cell[1] + step[2] * site.cell[2]);
        y += fmt::format("{}u, ", site.cell[1]);
        z += fmt::format("{}u, ", site.cell[2]);
      }
    line("__constant__ const unsigned {}_first[] = {{{}}};", kernel_.name, first);
    line("__constant__ const unsigned {}_canonical[] = {{{}}};", kernel_.name, canonical);
    line("__constant__ const unsigned {}_y[] = {{{}}};", kernel_.name, y);
    line("__constant__ const unsigned {}_z[] = {{{}}};", kernel_.name, z);
  }

  bool cuts() const { return kernel_.cut_axis >= 0; }
  /// Number of launched tiles along a lattice vector.
  std::string launched_along(const std::array<Index, 3>& tiles, std::size_t d) const {
    return static_cast<int>(d) == kernel_.cut_axis ? "output.layers" : fmt::format("{}u", tiles[d]);
  }

  /// Text of the contribution of a coordinate to a storage position, multiplied by `times`.
  std::string offset(std::size_t d, const std::string& coordinate, Index times) const {
    if (stencil_.fold[d] == 1)
      return fmt::format("{} * {}u", coordinate, stencil_.outer[d] * times);
    return fmt::format("({0} % {1}u * {2}u + {0} / {1}u * {3}u)", coordinate, stencil_.fold[d],
                       stencil_.inner[d] * times, stencil_.outer[d] * times);
  }

  int colour(int sublattice) const {
    return stencil_.sublattices[static_cast<std::size_t>(sublattice)].colour;
  }

  std::map<Source, std::vector<Share>> sources(const std::vector<PatchSite>& patch) const {
    std::map<Source, std::vector<Share>> found;
    for (std::size_t n = 0; n < patch.size(); ++n)
      for (const SublatticeBond& bond :
           stencil_.sublattices[static_cast<std::size_t>(patch[n].sublattice)].bonds) {
        Source source{bond.to, 0, 0, 0};
        for (std::size_t d = 0; d < 3; ++d)
          source[3 - d] = wrapped(patch[n].cell[d] + bond.shift[d], stencil_.cells[d]);
        found[source].push_back(
            {static_cast<int>(n), &bond, colour(bond.to) < colour(patch[n].sublattice)});
      }
    return found;
  }

  /// The sources of a patch, row by row, distributed almost evenly over the threads of the patch.
  std::vector<std::vector<Source>> sources_of_threads(
      const std::map<Source, std::vector<Share>>& all) const {
    std::vector<std::vector<Source>> of_thread(static_cast<std::size_t>(shape_.split));
    std::map<Row, std::vector<Source>> rows;
    for (const auto& [source, shares] : all)
      rows[{source[0], source[1], source[2]}].push_back(source);
    std::size_t before = 0;
    for (const auto& [row, of_row] : rows) {
      const std::size_t middle = 2 * before + of_row.size();
      const std::size_t n =
          std::min(of_thread.size() - 1, middle * of_thread.size() / (2 * all.size()));
      of_thread[n].insert(of_thread[n].end(), of_row.begin(), of_row.end());
      before += of_row.size();
    }
    return of_thread;
  }

  /// Writes sum += A v for the nonzero numbers of A.
  void add(const char* sum, const Share& share) {
    const Mat3<double> A = matrix_of(stencil_.bond_class, share.bond->coupling.data());
    constexpr const char* component[] = {"x", "y", "z"};
    for (std::size_t i = 0; i < 3; ++i) {
      const double a[] = {A.row[i].x, A.row[i].y, A.row[i].z};
      for (std::size_t j = 0; j < 3; ++j)
        if (a[j] != 0)
          line("      {0}[{1}].{2} = {0}[{1}].{2} + Bond({3:.17g}) * v.{4};", sum, share.site,
               component[i], a[j], component[j]);
    }
  }

  void sum_of(const std::map<Source, std::vector<Share>>& all, const std::vector<Source>& own) {
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<int> shifts;
      for (const Source& source : own) shifts.push_back(source[3 - d]);
      std::sort(shifts.begin(), shifts.end());
      shifts.erase(std::unique(shifts.begin(), shifts.end()), shifts.end());
      const char* coordinate[] = {"X", "Y", "Z"};
      for (const int shift : shifts)
        line("    const unsigned {} = {};", variable("xyz"[d], shift),
             offset(d, shifted(coordinate[d], shift, stencil_.cells[d]), stride()));
    }
    const auto row_of = [](const Source& s) { return Row{s[0], s[1], s[2]}; };
    for (std::size_t n = 0; n < own.size(); ++n) {
      const Source& source = own[n];
      if (n == 0 || row_of(own[n - 1]) != row_of(source))
        line("    {{ const unsigned row = lane + {} + {} + {}u;", variable('y', source[2]),
             variable('z', source[1]),
             stencil_.sublattices[static_cast<std::size_t>(source[0])].first * stride());
      line("    {{ const Vec3<Bond> v = read<{}>(spins + (row + {}));", component_stride(),
           variable('x', source[3]));
      for (const Share& share : all.at(source)) {
        add("h", share);
        if (kernel_.sums_energy && share.is_earlier) add("earlier", share);
      }
      line("    }}");
      if (n + 1 == own.size() || row_of(own[n + 1]) != row_of(source)) line("    }}");
    }
  }

  void sums() {
    line("__device__ __forceinline__ void {}_sum(const Bond* spins, unsigned group, unsigned lane,",
         kernel_.name);
    line("    unsigned X, unsigned Y, unsigned Z, Vec3<Bond> (&h)[{}]{}) {{", shape_.sites(),
         kernel_.sums_energy ? fmt::format(", Vec3<Bond> (&earlier)[{}]", shape_.sites()) : "");
    for (std::size_t kind = 0; kind < shape_.patches.size(); ++kind) {
      const std::map<Source, std::vector<Share>> all = sources(shape_.patches[kind]);
      const std::vector<std::vector<Source>> split = sources_of_threads(all);
      for (std::size_t n = 0; n < split.size(); ++n) {
        line("  if (group == {}) {{", kind * split.size() + n);
        sum_of(all, split[n]);
        line("    return;\n  }}");
      }
    }
    line("}}");
  }

  void body() {
    const std::array<Index, 3> tiles = shape_.tiles_along(stencil_);
    const int sites = shape_.sites();
    const int own = std::max(1, sites / shape_.split);
    const Index outer = static_cast<Index>(shape_.patches.size()) / shape_.kinds_in_block;
    const int used = shape_.tile[0] * shape_.tile[1] * shape_.tile[2] * shape_.lanes;
    const std::array<Index, 3> step = stencil_.canonical_strides();
    const bool ahead = kernel_.noisy && shape_.draws_ahead;
    const std::string& name = kernel_.name;

    line("extern \"C\" __global__ void __launch_bounds__({}, {}) {}(", shape_.threads(),
         shape_.least_blocks, name);
    line("    const __grid_constant__ {} given, const unsigned long long* first_step,",
         kernel_.view);
    line("    unsigned long long step, const __grid_constant__ StencilOutput given_output) {{");
    line("  {} view = given;", kernel_.view);
    line("  StencilOutput output = given_output;");
    line("  set_constants(view);");
    out_ += kernel_.constants;
    line("  view.key.step = *first_step + step;");
    // Index of the patch, and of the thread's share in its sum.
    line("  const unsigned thread = threadIdx.x % {}u;", shape_.width());
    line("  bool active = thread < {}u;", used);
    line("  const unsigned place = active ? thread : 0u;");
    line("  const unsigned lane = place % {0}u, patch = place / {0}u;", shape_.lanes);
    line("  const unsigned group = threadIdx.x / {}u + blockIdx.x % {}u * {}u;", shape_.width(),
         outer, shape_.kinds_in_block * shape_.split);
    line("  const unsigned kind = group / {0}u, share = group % {0}u;", shape_.split);
    const std::string launched =
        product({launched_along(tiles, 0), launched_along(tiles, 1), launched_along(tiles, 2)});
    line("  const unsigned tile = blockIdx.x / {}u % ({});", outer, launched);
    line("  const unsigned block = blockIdx.x / {}u / ({});", outer, launched);
    coordinates(tiles);
    if (cuts()) {
      line("  const bool counted = layer >= output.counted_from && layer < output.counted_to;");
      line(
          "  const unsigned block_of_all = ((block * {2}u + Z_tile) * {1}u + Y_tile) * {0}u + "
          "X_tile;",
          tiles[0], tiles[1], tiles[2]);
    }
    line("  const unsigned replica = block * {}u + lane;", shape_.lanes);
    line("  const unsigned canonical = {}u * X + {}u * Y + {}u * Z;", step[0], step[1], step[2]);
    line("  const bool finishes = active && share * {}u < {}u;", own, sites);
    line("  const unsigned first = kind * {}u + share * {}u;", sites, own);
    line("  using Slot = {}<Numbers>;", ahead ? "SummedNoisyIn" : "SummedIn");
    line("  Slot slot[{}];", own);
    line("  if (finishes) {{");
    line("#pragma unroll");
    line("    for (unsigned n = 0; n < {}u; ++n) {{", own);
    line("      slot[n].site = {0}_first[first + n] + {1} + {2} + {3};", name, offset(0, "X", 1),
         offset(1, fmt::format("(Y + {}_y[first + n])", name), 1),
         offset(2, fmt::format("(Z + {}_z[first + n])", name), 1));
    line("      slot[n].replica = replica;");
    line("      slot[n].canonical = canonical + {}_canonical[first + n];", name);
    if (ahead) line("      slot[n].deviates = draw_deviates(view, slot[n]);");
    line("    }}\n  }}");
    if (sums_last_energies()) line("  if (output.sums != nullptr) let_successor_begin();");
    line("  wait_for_predecessor();");
    for (const char* sum : vector_sums()) {
      line("  Vec3<Bond> {}[{}];", sum, sites);
      line("#pragma unroll");
      line("  for (int n = 0; n < {}; ++n) {}[n] = {{Bond(0), Bond(0), Bond(0)}};", sites, sum);
    }
    line("  {}_sum({}.as<Bond>() + block * {}ull, group, lane, X, Y, Z, {});", name, kernel_.input,
         one_replica() ? 0 : stride() * padded_sites(), kernel_.sums_energy ? "h, earlier" : "h");
    if (shape_.split > 1)
      for (const char* sum : vector_sums()) exchange(sum, sites, own);
    line("  unsigned count = 0;");
    if (kernel_.observes) line("  double sums[4] = {{}};");
    if (kernel_.sums_energy) line("  double energy[1] = {{}};");
    line("  if (finishes) {{");
    line("#pragma unroll");
    line("    for (unsigned n = 0; n < {}u; ++n) {{", own);
    line("      slot[n].bond_field = converted<Real>(h[n]);");
    if (kernel_.observes)
      line(
          "      add(EnergyAndMoment<bond_class>{{view.model, view.spins, "
          "output.moment}}(slot[n]), "
          "sums);");
    if (kernel_.counts) {
      line("      count += {}{{view}}(slot[n]).value[0] > Real(0) ? 1u : 0u;", kernel_.functor);
    } else if (!kernel_.functor.empty()) {
      line("      {}{{view}}(slot[n]);", kernel_.functor);
    }
    if (kernel_.sums_energy)
      line(
          "      if (output.sums != nullptr) add(EnergyOfColours{{view.model, "
          "view.spins}}(slot[n], "
          "converted<Real>(earlier[n])), energy);");
    line("    }}\n  }}");
    const char* if_counted = cuts() ? "if (counted) " : "";
    if (kernel_.counts)
      line("  {1}add_counts<{0}>(count, block * {0}u, output.counts);", shape_.lanes, if_counted);
    if (kernel_.observes)
      line("  {}store_sums<{}>(sums, {}, output.sums);", if_counted, shape_.threads(),
           cuts() ? fmt::format("block_of_all * {0}u + blockIdx.x % {0}u", outer) : "blockIdx.x");
    if (kernel_.sums_energy)
      line(
          "  if (output.sums != nullptr) store_sums<{}>(energy, block * {}u + {}u + blockIdx.x % "
          "{}u, output.sums);",
          shape_.threads(), kernel_.all_partials, kernel_.first_partial,
          shape_.blocks(stencil_, 1));
    line("}}");
  }

  /// First cell of the patch of a thread. Along folded axes, adjacent threads have cells that are
  /// adjacent in memory.
  void coordinates(const std::array<Index, 3>& tiles) {
    std::array<Index, 3> fold{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d)
      if (shape_.patch_cells[d] == 1 && shape_.tile[d] % stencil_.fold[d] == 0)
        fold[d] = stencil_.fold[d];
    Index below = 1;
    std::array<std::string, 3> inside, folded;
    for (std::size_t d = 0; d < 3; ++d) {
      const Index rows = shape_.tile[d] / fold[d];
      inside[d] = fmt::format("patch / {}u % {}u", below, rows);
      below *= rows;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      folded[d] = fmt::format("patch / {}u % {}u", below, fold[d]);
      below *= fold[d];
    }
    const std::array<Index, 3> along = shape_.patches_along(stencil_);
    std::string tiles_below = "1u";
    for (std::size_t d = 0; d < 3; ++d) {
      const bool is_cut = static_cast<int>(d) == kernel_.cut_axis;
      if (is_cut) {
        line("  const unsigned launched = tile / ({}) % output.layers;", tiles_below);
        line("  const unsigned layer = launched + output.first_layer +");
        line("      (launched < output.layers_before_gap ? 0u : output.gap);");
        line("  const unsigned {}_tile = layer;", "XYZ"[d]);
      } else {
        line("  const unsigned {}_tile = tile / ({}) % {}u;", "XYZ"[d], tiles_below, tiles[d]);
      }
      line("  unsigned {0} = ({0}_tile * {1}u + {2} * {3}u + {4}) * {5}u;", "XYZ"[d],
           shape_.tile[d], inside[d], fold[d], folded[d], shape_.patch_cells[d]);
      tiles_below = product({tiles_below, launched_along(tiles, d)});
      if (along[d] % shape_.tile[d] != 0) {
        line("  if ({} >= {}u) {{", "XYZ"[d], stencil_.cells[d]);
        line("    {} = 0u;", "XYZ"[d]);
        line("    active = false;\n  }}");
      }
    }
  }

  /// Is this the last kernel of a sweep with energies? The next kernel is short and adds these
  /// energies up. It is ready in time if this kernel releases it before waiting.
  bool sums_last_energies() const {
    return kernel_.sums_energy &&
           kernel_.first_partial + shape_.blocks(stencil_, 1) == kernel_.all_partials;
  }

  /// Sums over bonds of the sites of a patch.
  std::vector<const char*> vector_sums() const {
    if (kernel_.sums_energy) return {"h", "earlier"};
    return {"h"};
  }

  /// Writes the exchange of sums between the threads of a patch. Every thread passes on its sums
  /// for sites of other threads, and adds up all sums for its own sites.
  void exchange(const char* sum, int sites, int own) {
    line("  {{");
    line("  __shared__ Bond shared[{}][3][{}];", shape_.kinds_in_block * shape_.split * sites,
         shape_.width());
    line("  const unsigned here = threadIdx.x / {0}u * {1}u;", shape_.width(), sites);
    line("#pragma unroll");
    line("  for (unsigned n = 0; n < {}u; ++n) {{", sites);
    line("    shared[here + n][0][thread] = {}[n].x;", sum);
    line("    shared[here + n][1][thread] = {}[n].y;", sum);
    line("    shared[here + n][2][thread] = {}[n].z;\n  }}", sum);
    line("  __syncthreads();");
    line("  const unsigned there = threadIdx.x / {}u * {}u + share * {}u;",
         shape_.width() * shape_.split, sites * shape_.split, own);
    line("  if (finishes) {{");
    line("#pragma unroll");
    line("    for (unsigned n = 0; n < {}u; ++n) {{", own);
    line("      {}[n] = {{Bond(0), Bond(0), Bond(0)}};", sum);
    line("#pragma unroll");
    line("      for (unsigned k = 0; k < {}u; ++k) {{", shape_.split);
    line("        const unsigned from = there + k * {}u + n;", sites);
    line(
        "        {}[n] += Vec3<Bond>{{shared[from][0][thread], shared[from][1][thread], "
        "shared[from][2][thread]}};",
        sum);
    line("      }}\n    }}\n  }}\n  }}");
  }

  const Stencil& stencil_;
  const StencilKernel& kernel_;
  const StencilShape& shape_;
  std::string out_;
};

/// Code that all kernels of a text share.
constexpr const char* common = R"(
using namespace larmor;
using namespace larmor::spins;
using Real = Numbers::Real;
using Bond = Numbers::Bond;

/// The vector whose first component is at `p`.
template <unsigned stride>
__device__ __forceinline__ Vec3<Bond> read(const Bond* p) {
  return {p[0], p[stride], p[2 * stride]};
}

/// The next kernel may be prepared after all thread blocks have reached this call.
__device__ __forceinline__ void let_successor_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// A kernel may start while its predecessor still runs. Only one kernel may start so early, so its
/// successor is released after the wait.
__device__ __forceinline__ void wait_for_predecessor() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  let_successor_begin();
}

/// Adds the counts of a thread block, lane by lane.
template <int lanes>
__device__ __forceinline__ void add_counts(unsigned count, unsigned first_replica,
                                           unsigned long long* counts) {
  __shared__ unsigned total[lanes];
  if (threadIdx.x < lanes) total[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned other = 16; other >= lanes; other /= 2)
    count += __shfl_xor_sync(0xffffffffu, count, other);
  if (threadIdx.x % 32 < lanes) atomicAdd(total + threadIdx.x % lanes, count);
  __syncthreads();
  if (threadIdx.x < lanes && total[threadIdx.x] > 0)
    atomicAdd(counts + first_replica + threadIdx.x,
              static_cast<unsigned long long>(total[threadIdx.x]));
}

template <int K>
__device__ __forceinline__ void add(const Sums<Real, K>& share, double (&sums)[K]) {
  for (int k = 0; k < K; ++k) sums[k] += share.value[k];
}

/// Stores the sums of a thread block, lane by lane, in `out`. Idle threads contribute zeros.
template <int threads, int K>
__device__ __forceinline__ void store_sums(double (&sums)[K], unsigned place, double* out) {
  static_assert(threads % 32 == 0 && K <= 4);
  __shared__ double of_warp[threads / 32][K][8];
  for (int k = 0; k < K; ++k) {
    sums[k] += __shfl_xor_sync(0xffffffffu, sums[k], 16);
    sums[k] += __shfl_xor_sync(0xffffffffu, sums[k], 8);
    if (threadIdx.x % 32 < 8) of_warp[threadIdx.x / 32][k][threadIdx.x % 32] = sums[k];
  }
  __syncthreads();
  if (threadIdx.x >= 8 * K) return;
  double total = 0;
  for (int w = 0; w < threads / 32; ++w) total += of_warp[w][threadIdx.x / 8][threadIdx.x % 8];
  out[place * (8ull * K) + threadIdx.x] = total;
}
)";

}  // namespace

std::string table_constants(const std::string& name, const RowTable& table) {
  if (!table.value.present()) return fmt::format("  {} = RowTable{{}};\n", name);
  std::string text = fmt::format("  __builtin_assume({}.value.present());\n", name);
  text += fmt::format("  {}.width = {};\n", name, table.width);
  text += fmt::format("  {}.uniform = {};\n", name, table.uniform);
  if (table.block_stride == 0) text += fmt::format("  {}.block_stride = 0;\n", name);
  return text;
}

std::string model_constants(const Stencil& stencil, const ModelView& model) {
  std::string text = fmt::format("  view.model.layout = SpinLayout{{{}, {}, 0}};\n",
                                 stencil.sites(), model.layout.one_replica() ? 1 : lane_count);
  text += table_constants("view.model.biquadratic", {});
  text += table_constants("view.model.onsite", model.onsite);
  text += table_constants("view.model.field", model.field);
  if (!model.long_range.present()) text += "  view.model.long_range = Reals{};\n";
  return text;
}

std::string stencil_source(const Stencil& stencil, Precision precision,
                           const std::vector<std::string>& headers, const std::string& constants,
                           const std::vector<StencilKernel>& kernels) {
  std::string text;
  for (const std::string& header : headers) text += "#include \"" + header + "\"\n";
  text += "#include \"larmor/spins/jit/energy_sums.hpp\"\n";
  text += "#include \"larmor/spins/jit/summed_slot.hpp\"\n";
  text += fmt::format("using Numbers = larmor::{};\n", numbers_of(precision));
  text += common;
  text += fmt::format("constexpr BondClass bond_class = BondClass({});\n",
                      static_cast<int>(stencil.bond_class));
  text += "\nnamespace {\n\n__device__ __forceinline__ void set_constants(" + kernels.front().view +
          "& view) {\n" + constants + "}\n\n}  // namespace\n\n";
  for (const StencilKernel& kernel : kernels) text += Writer(stencil, kernel).text() + "\n";
  return text;
}

}  // namespace larmor::spins
