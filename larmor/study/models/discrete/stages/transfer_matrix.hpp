#pragma once
// Exact results of a strip of Ising spins by its transfer matrix.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/models/discrete/stages/strip_rows.hpp"
#include "larmor/study/models/discrete/stages/transfer_matrix_table.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/transfer/strip.hpp"

namespace larmor::study {

/// The stage works in tasks. A task is one sector of an infinite strip at a temperature, or one
/// strip of given rows. Ranks share the vectors of infinite strips if their number is a power of
/// two up to 8; otherwise only the root works. An interrupted task begins again, with equal
/// results.
class TransferMatrixStage : public Stage {
 public:
  using Table = TransferMatrixTable;
  TransferMatrixStage(const Table& table, const ReadContext& context);

  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_on(const SystemSize& size) const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool needs_whole_lattice() const override { return true; }
  bool uses_configuration() const override { return false; }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  struct Task {
    Index temperature;
    transfer::Sector sector = transfer::Sector::all;
    bool has_wall = false;
    Index sample = 0;
    Index levels = 0;     ///< 0: a strip of given rows
    Index exponents = 0;  ///< Lyapunov exponents of given rows; 0: ln Z
  };

  std::vector<Task> tasks_of(const StripRows& strip, Index samples) const;
  transfer::LanczosSettings lanczos_of(const Task& task) const;
  double bytes_of(const Task& task, const StripRows& strip) const;
  bool is_shared(const Simulation& simulation) const;
  bool is_in_task() const { return spectrum_ || product_ || exponents_; }
  void leave_task();
  /// Begins the next task. @param world ranks that share the vectors; null: one rank
  /// @return the length of a vector
  Index begin_task(const Device& device, const Communicator* world);
  /// Works on the present task. @return true: it is done
  bool step();
  void write_levels(ResultsGroup& results) const;
  void write_products(ResultsGroup& results) const;
  double thermal_energy(Index temperature) const;

  Table table_;
  ReadContext context_;
  std::vector<double> temperatures_;
  std::vector<StripRows> strips_;  ///< one for each disorder sample
  std::vector<Task> tasks_;
  Index done_ = 0;
  std::vector<double> numbers_;  ///< results of the tasks that are done
  std::unique_ptr<transfer::StripSpectrum> spectrum_;
  std::unique_ptr<transfer::StripProduct> product_;
  std::unique_ptr<transfer::LyapunovExponents> exponents_;
  Index rows_done_ = 0;
  std::string note_;
};

}  // namespace larmor::study
