// Rows of neighbours on a GPU, compiled without fused multiplication: rows have the bits of a CPU.

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/atoms/forces/gpu_neighbours.hpp"
#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/neighbours/list_validity.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/input/units.hpp"

namespace larmor::atoms {
namespace {

/// The most neighbours of an atom within cutoff plus skin. A higher number is a fault.
constexpr std::int32_t most_neighbours = 8192;

constexpr unsigned all_lanes = 0xffffffffu;

__device__ int lane() { return static_cast<int>(threadIdx.x) % warp_size; }

/// The atom of this warp.
__device__ Index atom_of_warp() {
  return (Index(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
}

/// Number of the given lanes that come before the lane of this thread.
__device__ int count_before(unsigned lanes) { return __popc(lanes & ((1u << lane()) - 1)); }

__device__ void update_longest(std::int32_t* longest, int length) {
  if (length > *longest) atomicMax(longest, length);
}

/// The smallest or the largest number of a block, returned in all of its threads. The number of
/// threads is a power of two. @param shared one number per thread
template <class Reduce>
__device__ double reduced_over_block(double number, double* shared, const Reduce& reduce) {
  shared[threadIdx.x] = number;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = reduce(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

/// Grid: x is the atom block, y is the number of the block of threads within the atom block.
/// @return in all threads: is the list outdated, because of one of these atoms or the box?
__device__ bool is_list_outdated(const NeighboursView& view, const AtomBlock& atom_block) {
  __shared__ ListValidity validity;
  const Box& box = view.atoms.box[atom_block.replica];
  const bool is_known = view.is_known[atom_block.replica] != 0;
  if (threadIdx.x == 0)
    validity = ListValidity::between(is_known ? view.first_box[atom_block.replica] : box, box,
                                     view.cutoff, view.skin);
  __syncthreads();
  bool outdated = !is_known || validity.is_outdated();
  const Index atom = atom_block.first + Index(blockIdx.y) * blockDim.x + threadIdx.x;
  if (atom < atom_block.last) {
    const Vec3<double>& r = view.atoms.position[atom];
    if (!has_place(box, r)) view.atoms.fault.raise(Fault::lost_atom, atom);
    outdated = outdated || validity.is_outdated_by(r, view.first_position[atom]);
  }
  return __syncthreads_or(outdated) != 0;
}

/// Decides whether a replica is searched. The last of its blocks of threads to arrive decides.
/// @return in all threads of that block: the decision; in other blocks: false
__device__ bool must_search(const NeighboursView& view, Index replica, bool outdated) {
  __shared__ bool decision;
  if (threadIdx.x == 0) {
    constexpr unsigned long long one_block = 1, one_outdated = one_block << 32;
    const LayoutView& layout = view.atoms.layout;
    const auto blocks = static_cast<unsigned long long>(layout.first_atom_block[replica + 1] -
                                                        layout.first_atom_block[replica]) *
                        gridDim.y;
    const auto own = one_block + (outdated ? one_outdated : 0);
    const auto all = atomicAdd(view.arrived + replica, own) + own;
    const bool is_last = all % one_outdated == blocks;
    decision = is_last && all >= one_outdated;
    if (is_last) {
      view.arrived[replica] = 0;
      view.is_renewed[replica] = decision ? 1 : 0;
    }
  }
  __syncthreads();
  return decision;
}

/// A block of threads plans the cells of a replica, and empties them. @param shared one number per
/// thread
__device__ void plan_cells(const NeighboursView& view, Index replica, double* shared) {
  const Box box = view.atoms.box[replica];
  const Index first = view.atoms.layout.first[replica], last = view.atoms.layout.first[replica + 1];
  std::array<double, 3> low{}, high{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (box.periodic[d]) continue;
    double smallest = 1e300, largest = -1e300;
    for (Index atom = first + threadIdx.x; atom < last; atom += blockDim.x) {
      const double f = box.fractional(view.atoms.position[atom])[d];
      smallest = fmin(smallest, f);
      largest = fmax(largest, f);
    }
    low[d] = reduced_over_block(smallest, shared, [](double a, double b) { return fmin(a, b); });
    high[d] = reduced_over_block(largest, shared, [](double a, double b) { return fmax(a, b); });
  }
  if (threadIdx.x == 0) {
    const double searched = view.cutoff + view.skin;
    const bool flat = is_flat(box), small = !flat && repeats_too_often(box, searched);
    CellGrid planned = CellGrid::over(box, low, high, searched, view.most_cells[replica]);
    if (flat || small) {
      planned.count = {1, 1, 1};
      planned.reach = {0, 0, 0};
    }
    if (flat) view.atoms.fault.raise(Fault::flat_box, replica);
    if (small) view.atoms.fault.raise(Fault::small_box, replica);
    view.grid[replica] = planned;
    view.first_box[replica] = box;
    view.is_known[replica] = 1;
    ++view.searches[replica];
  }
  __syncthreads();
  const Index cells = view.grid[replica].cells();
  std::int32_t* const in_cell = view.in_cell + view.cell_first[replica];
  for (Index c = threadIdx.x; c < cells; c += blockDim.x) in_cell[c] = 0;
  __syncthreads();
}

__device__ void place_atom(const NeighboursView& view, const CellGrid& grid, Index replica,
                           Index atom) {
  const Vec3<double> r = view.atoms.position[atom];
  if (is_far_away(grid.box, r)) view.atoms.fault.raise(Fault::lost_atom, atom);
  const CellGrid::Place place = grid.place(r);
  const Index cell = view.cell_first[replica] + grid.number(place.cell);
  view.cell[atom] = cell;
  view.home[atom] = place.image;
  view.first_position[atom] = r;
  view.place_in_cell[atom] = atomicAdd(view.in_cell + cell, 1);
}

/// A block of threads computes where the atoms of each cell begin in the list.
__device__ void sum_cells(const NeighboursView& view, Index replica, Index cells,
                          std::int32_t* shared) {
  const Index share = (cells + blockDim.x - 1) / blockDim.x;
  const Index first = threadIdx.x * share, last = first + share < cells ? first + share : cells;
  const std::int32_t* const in_cell = view.in_cell + view.cell_first[replica];
  std::int32_t own = 0;
  for (Index c = first; c < last; ++c) own += in_cell[c];
  shared[threadIdx.x] = own;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const std::int32_t before = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  auto begin =
      static_cast<std::int32_t>(view.atoms.layout.first[replica]) + shared[threadIdx.x] - own;
  for (Index c = first; c < last; ++c) {
    view.begin[view.cell_first[replica] + c] = begin;
    begin += in_cell[c];
  }
  __syncthreads();
}

/// Threads of a block that tests the lists.
constexpr int fewest_list_threads = 256, most_list_threads = 1024;

/// Tests which lists are outdated, and lists the atoms of their replicas cell by cell. The last
/// block of threads of a replica does all of this listing. A separate kernel for the listing would
/// be launched at every step, although searches are rare.
__global__ void __launch_bounds__(most_list_threads)
    list_cells_kernel(const __grid_constant__ NeighboursView view) {
  __shared__ double shared[most_list_threads];
  cuda::let_successor_begin_and_wait();
  const AtomBlock atom_block = view.atoms.layout.atom_blocks[blockIdx.x];
  const Index replica = atom_block.replica;
  if (!must_search(view, replica, is_list_outdated(view, atom_block))) return;
  plan_cells(view, replica, shared);
  const CellGrid& grid = view.grid[replica];
  const Index first = view.atoms.layout.first[replica], last = view.atoms.layout.first[replica + 1];
  for (Index atom = first + threadIdx.x; atom < last; atom += blockDim.x)
    place_atom(view, grid, replica, atom);
  __syncthreads();
  sum_cells(view, replica, grid.cells(), reinterpret_cast<std::int32_t*>(shared));
  for (Index atom = first + threadIdx.x; atom < last; atom += blockDim.x)
    view.listed[view.begin[view.cell[atom]] + view.place_in_cell[atom]] =
        static_cast<std::int32_t>(atom);
}

struct FoundPair {
  std::int32_t neighbour;
  Image image;
};

/// One row of neighbours, in the order in which a warp finds the pairs.
struct FoundRow {
  const NeighboursView& view;
  const CellGrid& grid;
  std::int32_t atom;
  FoundPair* pairs;
  int count = 0;  ///< may exceed the width of the row

  /// Visits the atoms of one cell. @param crossings boxes crossed on the way to the cell
  __device__ void visit(Index cell, const Image& crossings) {
    const std::int32_t begin = view.begin[cell], end = begin + view.in_cell[cell];
    for (std::int32_t first = begin; first < end; first += warp_size) {
      FoundPair pair{};
      const bool near =
          first + lane() < end && is_near(view.listed[first + lane()], crossings, pair);
      const unsigned lanes = __ballot_sync(all_lanes, near);
      const int slot = count + count_before(lanes);
      if (near && slot < view.found_width) pairs[slot] = pair;
      count += __popc(lanes);
    }
  }

  __device__ bool is_near(std::int32_t other, const Image& crossings, FoundPair& pair) const {
    pair.neighbour = other;
    for (std::size_t d = 0; d < 3; ++d)
      pair.image[d] = crossings[d] + view.home[atom][d] - view.home[other][d];
    if (other == atom && is_same(pair.image, Image{})) return false;
    const Vec3<double> r = displacement_of(grid.box, view.atoms.position, atom, other, pair.image);
    const double squared = dot(r, r), searched = view.cutoff + view.skin;
    if (!(squared < searched * searched)) return false;
    if (is_same_place(squared)) view.atoms.fault.raise(Fault::coincident_atoms, atom);
    return true;
  }
};

/// A warp searches the row of an atom, and sorts it.
/// @param pairs shared memory for the row [found_width]
__device__ void find_row(const NeighboursView& view, Index replica, Index atom, FoundPair* pairs) {
  const CellGrid& grid = view.grid[replica];
  FoundRow row{view, grid, static_cast<std::int32_t>(atom), pairs};
  const Image home = grid.place(view.atoms.position[atom]).cell, reach = grid.reach;
  Image offset;
  for (offset[0] = -reach[0]; offset[0] <= reach[0]; ++offset[0])
    for (offset[1] = -reach[1]; offset[1] <= reach[1]; ++offset[1])
      for (offset[2] = -reach[2]; offset[2] <= reach[2]; ++offset[2]) {
        Image cell = home, crossings;
        if (grid.move(cell, offset, crossings))
          row.visit(view.cell_first[replica] + grid.number(cell), crossings);
      }
  const int width = static_cast<int>(view.found_width);
  const int count = row.count < width ? row.count : width;
  __syncwarp();
  for (int n = lane(); n < count; n += warp_size) {
    const FoundPair pair = pairs[n];
    int rank = 0;
    for (int other = 0; other < count; ++other)
      if (is_before(pairs[other].neighbour, pairs[other].image, pair.neighbour, pair.image)) ++rank;
    const Index entry = atom * view.found_width + rank;
    view.found_neighbour[entry] = pair.neighbour;
    view.found_image[entry] = pair.image;
  }
  if (lane() != 0) return;
  view.found_count[atom] = count;
  update_longest(view.longest, row.count);
  if (row.count > width) view.atoms.fault.raise(Fault::narrow_rows, atom);
}

/// A warp computes the distances of an atom's pairs, and keeps the pairs within the cutoff.
__device__ void measure_row(const NeighboursView& view, Index replica, Index atom) {
  const Box& box = view.atoms.box[replica];
  const int count = view.found_count[atom], width = static_cast<int>(view.width);
  int kept = 0;
  for (int first = 0; first < count; first += warp_size) {
    const int n = first + lane();
    const Index entry = atom * view.found_width + n;
    bool near = false;
    std::int32_t other = 0;
    Vec3<double> r{};
    if (n < count) {
      other = view.found_neighbour[entry];
      r = displacement_of(box, view.atoms.position, static_cast<std::int32_t>(atom), other,
                          view.found_image[entry]);
      near = dot(r, r) < view.cutoff * view.cutoff;
    }
    const unsigned lanes = __ballot_sync(all_lanes, near);
    const int slot = kept + count_before(lanes);
    near = near && slot < width;
    if (n < count) view.kept[entry] = near ? slot : -1;
    if (near) {
      view.neighbour[atom * view.width + slot] = other;
      view.displacement[atom * view.width + slot] = r;
    }
    kept += __popc(lanes);
  }
  if (lane() != 0) return;
  view.count[atom] = kept < width ? kept : width;
  update_longest(view.longest + 1, kept);
  if (kept > width) view.atoms.fault.raise(Fault::narrow_rows, atom);
}

/// A warp builds the row of an atom. It searches the pairs again if the list is outdated.
__global__ void make_rows_kernel(const __grid_constant__ NeighboursView view) {
  extern __shared__ FoundPair pairs_of_warps[];
  cuda::let_successor_begin_and_wait();
  const Index atom = atom_of_warp();
  if (atom >= view.atoms.layout.atoms) return;
  const Index replica = view.replica_of[atom];
  if (view.is_renewed[replica] != 0)
    find_row(view, replica, atom, pairs_of_warps + threadIdx.x / warp_size * view.found_width);
  __syncwarp();
  measure_row(view, replica, atom);
}

/// The place of a found pair in the row of the neighbour.
__device__ std::int32_t found_mirror(const NeighboursView& view, Index atom, Index entry) {
  const std::int32_t other = view.found_neighbour[entry];
  const Image back = opposite(view.found_image[entry]);
  const Index row = other * view.found_width;
  std::int32_t low = 0, high = view.found_count[other];
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (is_before(view.found_neighbour[row + middle], view.found_image[row + middle],
                  static_cast<std::int32_t>(atom), back))
      low = middle + 1;
    else
      high = middle;
  }
  // The pair may be missing if the row was too narrow.
  return low < view.found_width ? low : static_cast<std::int32_t>(view.found_width) - 1;
}

/// A warp finds the mirrors of the kept pairs in an atom's row.
__global__ void find_mirrors_kernel(const __grid_constant__ NeighboursView view) {
  cuda::let_successor_begin_and_wait();
  const Index atom = atom_of_warp();
  if (atom >= view.atoms.layout.atoms) return;
  const bool is_renewed = view.is_renewed[view.replica_of[atom]] != 0;
  for (int n = lane(); n < view.found_count[atom]; n += warp_size) {
    const Index entry = atom * view.found_width + n;
    if (is_renewed) view.found_mirror[entry] = found_mirror(view, atom, entry);
    const std::int32_t slot = view.kept[entry];
    if (slot < 0) continue;
    const std::int32_t mirror =
        view.kept[view.found_neighbour[entry] * view.found_width + view.found_mirror[entry]];
    // The pair may be missing if the row was too narrow.
    view.mirror[atom * view.width + slot] = mirror < 0 ? 0 : mirror;
  }
}

Index rounded_up(Index width) { return (width + 7) / 8 * 8; }

}  // namespace

GpuNeighbours::GpuNeighbours(double cutoff, double skin, Index width_of_rows)
    : cutoff_(cutoff), skin_(skin), first_width_(width_of_rows) {
  if (!(cutoff > 0))
    throw InputError("the cutoff of neighbours is " + number_text(cutoff),
                     "give a positive length");
  if (!(skin >= 0))
    throw InputError("the skin of neighbours is " + number_text(skin),
                     "give a length of 0 or more");
}

GpuRowsView GpuNeighbours::rows(AtomState& state) {
  if (!has_arrays_for(state.layout)) allocate(state);
  const NeighboursView v = view(state);
  const int ordinal = state.device.ordinal;
  const LayoutView& layout = v.atoms.layout;
  {
    const cuda::LaunchRegion region(ordinal, "cells of atoms");
    const int threads =
        layout.longest_atom_block > fewest_list_threads ? most_list_threads : fewest_list_threads;
    const Index blocks_along_y = (layout.longest_atom_block + threads - 1) / threads;
    cuda::launch_early(
        ordinal, list_cells_kernel,
        dim3(static_cast<unsigned>(layout.atom_block_count), static_cast<unsigned>(blocks_along_y)),
        threads, 0, v);
  }
  const cuda::LaunchRegion region(ordinal, "rows of neighbours");
  const auto blocks = [&](int warps) {
    return static_cast<unsigned>((layout.atoms + warps - 1) / warps);
  };
  const std::size_t of_row = static_cast<std::size_t>(found_width_) * sizeof(FoundPair);
  constexpr std::size_t usual_shared_bytes = 48 << 10;
  const int warps =
      static_cast<int>(std::clamp<std::size_t>(usual_shared_bytes / of_row, 1, warps_of_block));
  const std::size_t bytes = static_cast<std::size_t>(warps) * of_row;
  if (bytes > usual_shared_bytes)
    cuda::check(cudaFuncSetAttribute(make_rows_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                "reserving shared memory for an atom with so many neighbours");
  cuda::launch_early(ordinal, make_rows_kernel, blocks(warps), warps * warp_size, bytes, v);
  cuda::launch_early(ordinal, find_mirrors_kernel, blocks(warps_of_block),
                     warps_of_block * warp_size, 0, v);
  return {layout.atoms, width_, v.count, v.neighbour, v.displacement, v.mirror};
}

bool GpuNeighbours::has_arrays_for(const AtomLayout& layout) const {
  if (std::ssize(first_atom_) != layout.replicas() + 1) return false;
  for (Index replica = 0; replica <= layout.replicas(); ++replica)
    if (first_atom_[static_cast<std::size_t>(replica)] != layout.first(replica)) return false;
  return true;
}

void GpuNeighbours::allocate(AtomState& state) {
  const Device& device = state.device;
  const AtomLayout& layout = state.layout;
  const Index replicas = layout.replicas();
  atoms_ = layout.atoms();
  first_atom_.clear();
  for (Index replica = 0; replica <= replicas; ++replica)
    first_atom_.push_back(layout.first(replica));
  std::vector<Index> cell_first;
  std::vector<std::int32_t> most, replica_of;
  Index cells = 0;
  for (Index replica = 0; replica < replicas; ++replica) {
    cell_first.push_back(cells);
    most.push_back(atoms::most_cells(layout.atoms_of(replica)));
    cells += static_cast<Index>(most.back()) * most.back() * most.back();
    replica_of.insert(replica_of.end(), static_cast<std::size_t>(layout.atoms_of(replica)),
                      static_cast<std::int32_t>(replica));
  }
  cell_first_ = AtomArray<Index>(device, cell_first);
  most_cells_ = AtomArray<std::int32_t>(device, most);
  replica_of_ = AtomArray<std::int32_t>(device, replica_of);
  is_known_ = AtomArray<std::int32_t>(device, replicas);
  is_renewed_ = AtomArray<std::int32_t>(device, replicas);
  arrived_ = AtomArray<unsigned long long>(device, replicas);
  searches_ = AtomArray<Index>(device, replicas);
  first_box_ = AtomArray<Box>(device, replicas);
  grid_ = AtomArray<CellGrid>(device, replicas);
  in_cell_ = AtomArray<std::int32_t>(device, cells);
  begin_ = AtomArray<std::int32_t>(device, cells);
  first_position_ = AtomArray<Vec3<double>>(device, atoms_);
  cell_ = AtomArray<Index>(device, atoms_);
  place_in_cell_ = AtomArray<std::int32_t>(device, atoms_);
  home_ = AtomArray<Image>(device, atoms_);
  listed_ = AtomArray<std::int32_t>(device, atoms_);
  found_count_ = AtomArray<std::int32_t>(device, atoms_);
  count_ = AtomArray<std::int32_t>(device, atoms_);
  longest_ = AtomArray<std::int32_t>(device, 2);
  guess_widths(state);
}

/// Estimates the widths from the density of the densest replica, and adds a quarter. Along an open
/// direction the box may have any length. So the height of the box counts there as at least the
/// cutoff.
void GpuNeighbours::guess_widths(const AtomState& state) {
  if (first_width_ > 0) return set_widths(state.device, first_width_, first_width_);
  constexpr double most = 1024;
  double density = 0;
  const std::vector<Box> boxes = state.box.to_host();
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const Box& box = boxes[static_cast<std::size_t>(replica)];
    double volume = box.volume();
    for (std::size_t d = 0; d < 3; ++d)
      if (!box.periodic[d]) volume *= std::max(1.0, cutoff_ / box.height(d));
    density = std::max(density, static_cast<double>(state.layout.atoms_of(replica)) / volume);
  }
  const auto width = [&](double radius) {
    const double even = density * 4.0 / 3 * 3.14159265358979 * radius * radius * radius;
    return static_cast<Index>(std::min(most, 1.25 * even + 8));
  };
  set_widths(state.device, width(cutoff_ + skin_), width(cutoff_));
}

void GpuNeighbours::set_widths(const Device& device, Index found, Index kept) {
  found_width_ = rounded_up(found);
  width_ = rounded_up(kept);
  const Index found_entries = atoms_ * found_width_, entries = atoms_ * width_;
  found_neighbour_ = AtomArray<std::int32_t>(device, found_entries);
  found_mirror_ = AtomArray<std::int32_t>(device, found_entries);
  kept_ = AtomArray<std::int32_t>(device, found_entries);
  found_image_ = AtomArray<Image>(device, found_entries);
  neighbour_ = AtomArray<std::int32_t>(device, entries);
  mirror_ = AtomArray<std::int32_t>(device, entries);
  displacement_ = AtomArray<Vec3<double>>(device, entries);
  is_known_ = std::vector<std::int32_t>(is_known_.size());
}

void GpuNeighbours::widen() {
  const auto widened = [](std::int32_t longest) { return longest + longest / 8 + 1; };
  const std::vector<std::int32_t> longest = longest_.to_host();
  if (longest[0] > most_neighbours)
    throw UnphysicalError("an atom has " + std::to_string(longest[0]) +
                          " neighbours: the box has collapsed, or atoms have come together; try a "
                          "shorter timestep");
  set_widths(longest_.device(), longest[0] > found_width_ ? widened(longest[0]) : found_width_,
             longest[1] > width_ ? widened(longest[1]) : width_);
}

Index GpuNeighbours::searches() const {
  Index sum = 0;
  for (const Index searches : searches_.to_host()) sum += searches;
  return sum;
}

NeighboursView GpuNeighbours::view(AtomState& state) {
  NeighboursView v{};
  v.atoms = state.view();
  v.cutoff = cutoff_;
  v.skin = skin_;
  v.replica_of = replica_of_.data();
  v.cell_first = cell_first_.data();
  v.most_cells = most_cells_.data();
  v.is_known = is_known_.data();
  v.is_renewed = is_renewed_.data();
  v.arrived = arrived_.data();
  v.searches = searches_.data();
  v.first_box = first_box_.data();
  v.first_position = first_position_.data();
  v.grid = grid_.data();
  v.in_cell = in_cell_.data();
  v.begin = begin_.data();
  v.cell = cell_.data();
  v.place_in_cell = place_in_cell_.data();
  v.home = home_.data();
  v.listed = listed_.data();
  v.found_width = found_width_;
  v.found_count = found_count_.data();
  v.found_neighbour = found_neighbour_.data();
  v.found_mirror = found_mirror_.data();
  v.found_image = found_image_.data();
  v.kept = kept_.data();
  v.width = width_;
  v.count = count_.data();
  v.neighbour = neighbour_.data();
  v.mirror = mirror_.data();
  v.displacement = displacement_.data();
  v.longest = longest_.data();
  return v;
}

}  // namespace larmor::atoms
