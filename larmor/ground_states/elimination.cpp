#include "larmor/ground_states/elimination.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"

namespace larmor::ground_states {
namespace {

using EliminationWatch = std::function<bool(double)>;
/// Index of a table entry: a bit for each variable of the scope, 1 if it is up.
using Position = std::uint64_t;

/// A table is divided into blocks of 2^block_bits settings. A task of a thread has several blocks.
/// Each thread does several tasks between two reports of progress.
constexpr int block_bits = 8;
constexpr Position block_size = Position{1} << block_bits;
constexpr Position blocks_of_task = 64;
constexpr Position tasks_of_report = 16;
/// One thread fills a table if the table has fewer settings than this.
constexpr Position worth_threads = Position{1} << 14U;
constexpr int bits_of_limb = 64;
/// If h and J are real numbers, energies are below 2^60 units, and a unit is at least 2^-52.
constexpr int bits_of_energy = 60, bits_of_unit = 52;
/// If h and J are whole numbers and bound_of is below this limit, all energies fit in 32 bits.
constexpr double fits_32_bits = 268435456.0;  // 2^28
/// If a table is smaller than this, the free memory is not checked.
constexpr double least_checked_bytes = 64.0 * 1024 * 1024;

/// Marks a missing energy. It stays above all energies, even if energies are added to it.
template <class Number>
constexpr Number none = std::numeric_limits<Number>::max() / 2;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

bool fits_narrow(const SpinForm& form) { return form.whole && bound_of(form) < fits_32_bits; }

std::size_t limbs_for(int exponent) {
  return static_cast<std::size_t>(exponent / bits_of_limb) + 1;
}

std::size_t words_of(int bits) {
  return bits < 6 ? 1 : std::size_t{1} << static_cast<unsigned>(bits - 6);
}

/// Tells which settings of its scope a table stores. If no field acts on a connected component, a
/// setting and its mirror image have equal entries. In this case the table stores only the settings
/// with the last variable of the scope down. This variable then has no bit in the position.
struct Shape {
  int width;  ///< variables of the scope
  bool has_mirror;

  bool is_halved() const { return has_mirror && width > 0; }
  int bits() const { return is_halved() ? width - 1 : width; }
  double entries() const { return std::exp2(bits()); }
  /// The bits of a position that a variable of the scope inverts if it is up. A position is the
  /// exclusive or of these bits over all variables that are up.
  Position of_variable(int place) const {
    const Position bit = Position{1} << place;
    return is_halved() && place == width - 1 ? bit - 1 : bit;
  }
};

/// Shapes of the tables of all steps.
std::vector<Shape> shapes_of(const SpinForm& form, const EliminationOrder& order) {
  std::vector<Shape> shapes;
  for (Index step = 0; step < order.steps(); ++step)
    shapes.push_back({order.width_of(step), form.field[at(order.variable[at(step)])] == 0});
  // The first loop passes the flag on to the last step of each component. The second loop passes it
  // back to all steps of the component.
  const auto after = [&](Index step) -> Shape& { return shapes[at(order.scope_of(step)[0])]; };
  for (Index step = 0; step < order.steps(); ++step)
    if (order.width_of(step) > 0 && !shapes[at(step)].has_mirror) after(step).has_mirror = false;
  for (Index step = order.steps(); step-- > 0;)
    if (order.width_of(step) > 0) shapes[at(step)].has_mirror = after(step).has_mirror;
  return shapes;
}

/// h and J as whole multiples of a unit, in the order of elimination.
struct WholeForm {
  struct Bond {
    int place;  ///< place of the other variable in the scope
    std::int64_t value;
  };
  double unit;                      ///< unit of E
  std::int64_t tolerance;           ///< in units; energies that differ by no more count as equal
  std::vector<std::int64_t> field;  ///< field of each step's variable
  std::vector<std::vector<Bond>> bonds;

  WholeForm(const SpinForm& form, const EliminationOrder& order)
      : unit(unit_of(form)),
        tolerance(static_cast<std::int64_t>(tolerance_of(form) / unit)),
        field(form.field.size()),
        bonds(form.field.size()) {
    std::vector<std::int32_t> step_of(form.field.size());
    for (Index step = 0; step < order.steps(); ++step) {
      const auto variable = at(order.variable[at(step)]);
      step_of[variable] = static_cast<std::int32_t>(step);
      field[at(step)] = whole(form.field[variable]);
    }
    for (const Coupling& coupling : form.couplings) {
      if (coupling.value == 0) continue;
      const auto [step, other] = std::minmax(step_of[at(coupling.i)], step_of[at(coupling.j)]);
      const std::int32_t* scope = order.scope_of(step);
      const auto place = std::lower_bound(scope, scope + order.width_of(step), other) - scope;
      bonds[at(step)].push_back({static_cast<int>(place), whole(coupling.value)});
    }
  }

 private:
  static double unit_of(const SpinForm& form) {
    if (form.whole) return 1;
    const int above = static_cast<int>(std::ceil(std::log2(std::max(bound_of(form), 1.0))));
    return std::exp2(-std::min(bits_of_unit, bits_of_energy - above));
  }
  std::int64_t whole(double x) const { return std::llround(x / unit); }
};

/// Energies and numbers of states of the eliminated variables, for each setting of a scope.
template <class Number>
struct Table {
  std::vector<Number> least, next;
  std::size_t limbs;         ///< limbs of a number of states
  std::vector<Limb> states;  ///< number of states with the least energy
  int exponent = 0;          ///< every number of states is at most 2^exponent

  Table(Position entries, std::size_t limbs_of_number)
      : least(entries), next(entries), limbs(limbs_of_number), states(entries * limbs_of_number) {}

  static double bytes(double entries, std::size_t limbs) {
    return entries * static_cast<double>(2 * sizeof(Number) + limbs * sizeof(Limb));
  }
  std::span<const Limb> states_at(Position entry) const {
    return {states.data() + entry * limbs, limbs};
  }
};

/// Converts a position in the new table of a step to the position in a table that the step
/// combines. Each bit of the new position inverts some bits of the other position. A lookup table
/// serves the bits within a block. A loop over the bits serves the number of the block.
class Places {
 public:
  /// @param to pairs of a bit of the new position and the bits that it inverts
  Places(const std::vector<std::pair<int, Position>>& to, Position block) : low_(block) {
    for (const auto& [from, change] : to)
      if (from >= block_bits) high_.emplace_back(from - block_bits, change);
    for (Position x = 0; x < block; ++x)
      for (const auto& [from, change] : to)
        if (from < block_bits && ((x >> from) & 1U) != 0) low_[x] ^= change;
  }

  Position low(Position x) const { return low_[x]; }
  Position of_block(Position n) const {
    Position sum = 0;
    for (const auto& [from, change] : high_) sum ^= ((n >> from) & 1U) != 0 ? change : 0;
    return sum;
  }

 private:
  std::vector<Position> low_;
  std::vector<std::pair<int, Position>> high_;
};

/// Energies and numbers of states if the eliminated variable is down [0] or up [1], for each
/// setting of a block.
template <class Number>
struct Block {
  std::array<std::array<Number, block_size>, 2> least, next;
  std::array<std::array<Limb, block_size>, 2> states;
};

/// Eliminates one variable. The step combines all tables whose scopes contain the variable into a
/// new table.
template <class Number>
class Step {
 public:
  Step(const WholeForm& form, const EliminationOrder& order, const std::vector<Shape>& shapes,
       Index step, std::vector<std::unique_ptr<Table<Number>>> tables,
       const std::vector<Index>& of_tables)
      : entries_(Position{1} << shapes[at(step)].bits()),
        block_(std::min(block_size, entries_)),
        field_(static_cast<Number>(form.field[at(step)])),
        field_low_(block_),
        tolerance_(static_cast<Number>(form.tolerance / std::max<Index>(order.steps(), 1))),
        tables_(std::move(tables)) {
    for (const WholeForm::Bond& bond : form.bonds[at(step)]) {
      const auto J = static_cast<Number>(bond.value);
      if (bond.place >= block_bits)
        bonds_.emplace_back(bond.place - block_bits, J);
      else
        for (Position x = 0; x < block_; ++x)
          field_low_[x] += ((x >> bond.place) & 1U) != 0 ? J : -J;
    }
    const std::int32_t* scope = order.scope_of(step);
    for (const Index table : of_tables) {
      const Shape& shape = shapes[at(table)];
      std::vector<std::pair<int, Position>> to;
      // The first variable of the table's scope is the variable of this step.
      for (int k = 1; k < shape.width; ++k) {
        const auto found =
            std::lower_bound(scope, scope + order.width_of(step), order.scope_of(table)[k]);
        to.emplace_back(static_cast<int>(found - scope), shape.of_variable(k));
      }
      places_.emplace_back(to, block_);
      of_up_.push_back(shape.of_variable(0));
    }
    int exponent = 1;
    for (const auto& table : tables_) exponent += table->exponent;
    limbs_ = limbs_for(exponent);
  }

  Position blocks() const { return entries_ / block_; }
  double bytes() const { return Table<Number>::bytes(static_cast<double>(entries_), limbs_); }
  std::unique_ptr<Table<Number>> new_table() const {
    return std::make_unique<Table<Number>>(entries_, limbs_);
  }
  bool fits(const Table<Number>& table) const {
    return table.least.size() == entries_ && table.limbs == limbs_;
  }
  /// The largest of the combined tables, so that the next step can reuse its memory.
  std::unique_ptr<Table<Number>> largest_table() {
    const auto size = [](const auto& table) { return table->least.size(); };
    const auto largest = std::ranges::max_element(tables_, {}, size);
    return largest == tables_.end() ? nullptr : std::move(*largest);
  }

  /// Fills block n of the new table.
  /// @param is_up receives a bit for each setting of the scope: 1 if the variable is up
  /// @return exponent e, so that every number of states of the block is at most 2^e
  int work(Position n, Table<Number>& left, std::uint64_t* is_up) const {
    Block<Number> block;
    begin(n, block);
    std::vector<Limb> states[2];
    if (limbs_ > 1) states[0] = states[1] = ones();
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (Position s = 0; s < 2; ++s) {
        const Position base = places_[t].of_block(n) ^ (s != 0 ? of_up_[t] : 0);
        add(*tables_[t], places_[t], base, block.least[s], block.next[s]);
        if (limbs_ > 1)
          multiply(*tables_[t], places_[t], base, states[s]);
        else
          multiply(*tables_[t], places_[t], base, block.states[s]);
      }
    choose(n, block, left, is_up);
    return limbs_ > 1 ? count(n, block, states, left) : count(n, block, left);
  }

 private:
  template <class T>
  using OfBlock = std::array<T, block_size>;

  Position entries_, block_;
  Number field_;
  /// Field of the variables within a block, for each of their settings.
  std::vector<Number> field_low_;
  /// Couplings to the other variables, which have bits in the number of the block.
  std::vector<std::pair<int, Number>> bonds_;
  Number tolerance_;
  std::vector<std::unique_ptr<Table<Number>>> tables_;
  std::vector<Places> places_;  ///< conversion of positions, for each table
  /// Bits that the eliminated variable inverts in the position, for each table.
  std::vector<Position> of_up_;
  std::size_t limbs_;

  void begin(Position n, Block<Number>& block) const {
    Number field = field_;
    for (const auto& [place, J] : bonds_) field += ((n >> place) & 1U) != 0 ? J : -J;
    for (Position x = 0; x < block_; ++x) {
      block.least[1][x] = field + field_low_[x];
      block.least[0][x] = -block.least[1][x];
      block.next[0][x] = block.next[1][x] = none<Number>;
      block.states[0][x] = block.states[1][x] = 1;
    }
  }

  void add(const Table<Number>& table, const Places& places, Position base, OfBlock<Number>& least,
           OfBlock<Number>& next) const {
    for (Position x = 0; x < block_; ++x) {
      const Position from = base ^ places.low(x);
      const Number more = table.least[from];
      next[x] = std::min<Number>(next[x] + more, least[x] + table.next[from]);
      least[x] += more;
    }
  }

  void multiply(const Table<Number>& table, const Places& places, Position base,
                OfBlock<Limb>& states) const {
    for (Position x = 0; x < block_; ++x)
      states[x] *= table.states[(base ^ places.low(x)) * table.limbs];
  }

  void choose(Position n, const Block<Number>& block, Table<Number>& left,
              std::uint64_t* is_up) const {
    Number* const least = left.least.data() + n * block_;
    Number* const next = left.next.data() + n * block_;
    for (Position x = 0; x < block_; ++x) {
      const Number down = block.least[0][x], up = block.least[1][x];
      const Number low = std::min(down, up), high = std::max(down, up);
      const Number above = std::min(block.next[0][x], block.next[1][x]);
      least[x] = low;
      next[x] = high > low + tolerance_ ? std::min(above, high) : above;
    }
    for (Position x = 0; x < block_; ++x)
      is_up[(n * block_ + x) / 64] |= std::uint64_t{block.least[1][x] < block.least[0][x]}
                                      << (x % 64);
  }

  bool has_least(const Block<Number>& block, Position s, Position x) const {
    return block.least[s][x] <= block.least[1 - s][x] + tolerance_;
  }

  int count(Position n, const Block<Number>& block, Table<Number>& left) const {
    Limb most = 1;
    for (Position x = 0; x < block_; ++x) {
      const Limb states = (has_least(block, 0, x) ? block.states[0][x] : 0) +
                          (has_least(block, 1, x) ? block.states[1][x] : 0);
      left.states[n * block_ + x] = states;
      most = std::max(most, states);
    }
    return limbs::exponent_above(std::span(&most, 1));
  }

  /// A number of several limbs for each setting of a block, equal to 1.
  std::vector<Limb> ones() const {
    std::vector<Limb> numbers(block_ * limbs_);
    for (Position x = 0; x < block_; ++x) numbers[x * limbs_] = 1;
    return numbers;
  }

  void multiply(const Table<Number>& table, const Places& places, Position base,
                std::vector<Limb>& states) const {
    std::vector<Limb> product(limbs_);
    for (Position x = 0; x < block_; ++x) {
      const std::span<Limb> number(states.data() + x * limbs_, limbs_);
      limbs::multiply(number, table.states_at(base ^ places.low(x)), product);
      std::ranges::copy(product, number.begin());
    }
  }

  int count(Position n, const Block<Number>& block, const std::vector<Limb> (&states)[2],
            Table<Number>& left) const {
    int exponent = 0;
    for (Position x = 0; x < block_; ++x) {
      const std::span<Limb> sum(left.states.data() + (n * block_ + x) * limbs_, limbs_);
      std::ranges::fill(sum, 0);
      for (Position s = 0; s < 2; ++s)
        if (has_least(block, s, x))
          limbs::add(sum, std::span(states[s]).subspan(x * limbs_, limbs_));
      exponent = std::max(exponent, limbs::exponent_above(sum));
    }
    return exponent;
  }
};

/// The product of all numbers. They are multiplied in pairs, and then the products in pairs, so few
/// products have long factors.
NaturalNumber product_of(std::vector<NaturalNumber> numbers) {
  if (numbers.empty()) return NaturalNumber(1);
  for (std::size_t gap = 1; gap < numbers.size(); gap *= 2)
    for (std::size_t i = 0; i + gap < numbers.size(); i += 2 * gap)
      numbers[i] = numbers[i] * numbers[i + gap];
  return numbers.front();
}

template <class Number>
class Elimination {
 public:
  Elimination(const QuadraticProblem& problem, const SpinForm& form, const EliminationOrder& order,
              int threads, const EliminationWatch& watch)
      : problem_(problem),
        form_(form),
        order_(order),
        whole_(form, order),
        shapes_(shapes_of(form, order)),
        threads_(threads),
        watch_(watch),
        tables_(at(order.steps())),
        tables_at_step_(at(order.steps())),
        decision_begin_(at(order.steps())) {
    std::size_t words = 0;
    for (Index step = 0; step < order.steps(); ++step) {
      decision_begin_[at(step)] = words;
      words += words_of(shapes_[at(step)].bits());
    }
    is_up_.resize(words);
  }

  std::optional<Certificate> run() {
    for (Index step = 0; step < order_.steps(); ++step)
      if (!eliminate(step)) return std::nullopt;
    Certificate found = summed();
    found.state = state();
    found.value =
        form_.whole ? form_.value(static_cast<double>(least_)) : value_of(problem_, found.state);
    require_energy(found.state);
    found.width = order_.width;
    return found;
  }

 private:
  const QuadraticProblem& problem_;
  const SpinForm& form_;
  const EliminationOrder& order_;
  WholeForm whole_;
  std::vector<Shape> shapes_;
  int threads_;
  const EliminationWatch& watch_;
  /// [step] the table that the step made; null after a later step has combined it.
  std::vector<std::unique_ptr<Table<Number>>> tables_;
  std::unique_ptr<Table<Number>> spare_;
  /// [step] tables whose scope begins with this step.
  std::vector<std::vector<Index>> tables_at_step_;
  std::vector<std::size_t> decision_begin_;
  std::vector<std::uint64_t> is_up_;
  double done_ = 0, reported_ = 0;  ///< numbers of table entries
  std::int64_t least_ = 0;

  bool eliminate(Index step) {
    std::vector<std::unique_ptr<Table<Number>>> met;
    for (const Index table : tables_at_step_[at(step)])
      met.push_back(std::move(tables_[at(table)]));
    Step<Number> work(whole_, order_, shapes_, step, std::move(met), tables_at_step_[at(step)]);
    auto left = table_for(work);
    if (!fill(work, step, *left)) return false;
    tables_[at(step)] = std::move(left);
    spare_ = work.largest_table();
    if (order_.width_of(step) > 0) tables_at_step_[at(order_.scope_of(step)[0])].push_back(step);
    return true;
  }

  /// Reuses the spare table if its size fits, since new memory costs time.
  std::unique_ptr<Table<Number>> table_for(const Step<Number>& work) {
    if (spare_ && work.fits(*spare_)) return std::move(spare_);
    spare_.reset();
    require_memory(work.bytes());
    return work.new_table();
  }

  bool fill(const Step<Number>& work, Index step, Table<Number>& left) {
    left.exponent = 0;
    const Position blocks = work.blocks();
    const int threads = blocks * block_size < worth_threads ? 1 : threads_;
    const Position task_blocks = std::clamp<Position>(blocks / at(threads), 1, blocks_of_task);
    const Position report_blocks = task_blocks * tasks_of_report * at(threads);
    for (Position first = 0; first < blocks; first += report_blocks) {
      const Position last = std::min(blocks, first + report_blocks);
      std::vector<int> exponents((last - first + task_blocks - 1) / task_blocks);
      const auto work_on = [&](Index n) {
        const Position begin = first + at(n) * task_blocks;
        for (Position block = begin; block < std::min(last, begin + task_blocks); ++block)
          exponents[at(n)] = std::max(
              exponents[at(n)], work.work(block, left, is_up_.data() + decision_begin_[at(step)]));
      };
      const auto tasks = static_cast<Index>(exponents.size());
      if (tasks == 1)
        work_on(0);
      else
        parallel_for(threads, tasks, work_on);
      left.exponent = std::max(left.exponent, *std::ranges::max_element(exponents));
      if (!report(std::exp2(order_.width_of(step)) * static_cast<double>(last - first) /
                  static_cast<double>(blocks)))
        return false;
    }
    return true;
  }

  bool report(double entries) {
    done_ += entries;
    if (done_ - reported_ < static_cast<double>(worth_threads) && done_ < order_.entries)
      return true;
    reported_ = done_;
    return watch_(done_ / order_.entries);
  }

  static void require_memory(double bytes) {
    if (bytes < least_checked_bytes) return;
    const FreeMemory free = free_memory();
    if (bytes > free.bytes)
      throw MachineError(fmt::format("a table of the certificate needs {} of memory, but {}",
                                     memory_text(bytes), free.description()));
  }

  /// Combines the tables of all connected components, one for each.
  Certificate summed() {
    constexpr std::int64_t nothing = none<std::int64_t>;
    std::int64_t gap = nothing;
    std::vector<NaturalNumber> states;
    for (const auto& table : tables_) {
      if (!table) continue;
      least_ += table->least[0];
      // A missing energy stays missing in sums.
      if (table->next[0] < none<Number> / 2)
        gap = std::min<std::int64_t>(gap, std::int64_t{table->next[0]} - table->least[0]);
      states.emplace_back(table->states_at(0));
    }
    Certificate found{};
    if (gap > whole_.tolerance) {
      found.degeneracy = product_of(std::move(states));
      found.gap = gap == nothing
                      ? std::numeric_limits<double>::infinity()
                      : static_cast<double>(gap) * whole_.unit * form_.factor / form_.divisor;
    } else {
      found.gap = std::numeric_limits<double>::quiet_NaN();
    }
    return found;
  }

  State state() const {
    State found(at(order_.steps()));
    for (Index step = order_.steps(); step-- > 0;) {
      const Shape& shape = shapes_[at(step)];
      Position entry = 0;
      bool is_up = false;
      for (int k = 0; k < shape.width; ++k)
        if (found[at(order_.variable[at(order_.scope_of(step)[k])])] > 0) {
          entry ^= shape.of_variable(k);
          // The table stores the mirror image of this setting, so the variable is reversed too.
          is_up = shape.is_halved() && k == shape.width - 1;
        }
      const std::uint64_t word = is_up_[decision_begin_[at(step)] + entry / 64];
      if (((word >> (entry % 64)) & 1U) != 0) is_up = !is_up;
      found[at(order_.variable[at(step)])] = is_up ? 1 : -1;
    }
    return found;
  }

  void require_energy(const State& state) const {
    const double energy = energy_of(form_, state);
    if (std::abs(energy - static_cast<double>(least_) * whole_.unit) > tolerance_of(form_))
      throw InternalError("the state of an elimination does not have the least energy");
  }
};

template <class Number>
double bytes_in_all(const SpinForm& form, const EliminationOrder& order) {
  const std::vector<Shape> shapes = shapes_of(form, order);
  double tables = 0, words = 0, most = 0;
  std::vector<double> freed(at(order.steps()));
  for (Index step = 0; step < order.steps(); ++step) {
    const double bytes = Table<Number>::bytes(shapes[at(step)].entries(), 1);
    tables += bytes;
    most = std::max(most, tables);
    tables -= freed[at(step)];
    words += static_cast<double>(words_of(shapes[at(step)].bits()));
    if (order.width_of(step) > 0) freed[at(order.scope_of(step)[0])] += bytes;
  }
  return most + words * sizeof(std::uint64_t);
}

}  // namespace

double bytes_of_elimination(const SpinForm& form, const EliminationOrder& order) {
  return fits_narrow(form) ? bytes_in_all<std::int32_t>(form, order)
                           : bytes_in_all<std::int64_t>(form, order);
}

std::optional<Certificate> eliminate(const QuadraticProblem& problem, const EliminationOrder& order,
                                     int threads, const std::function<bool(double)>& watch) {
  const auto begun = std::chrono::steady_clock::now();
  const SpinForm form = spin_form(problem);
  auto found = fits_narrow(form)
                   ? Elimination<std::int32_t>(problem, form, order, threads, watch).run()
                   : Elimination<std::int64_t>(problem, form, order, threads, watch).run();
  if (found)
    found->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return found;
}

}  // namespace larmor::ground_states
