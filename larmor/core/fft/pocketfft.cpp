#include "larmor/core/fft/line_transforms.hpp"
#include "larmor/core/fft/plans.hpp"

namespace larmor {
namespace {

double* as_numbers(std::complex<double>* z) { return reinterpret_cast<double*>(z); }

}  // namespace

ComplexLines::~ComplexLines() = default;
RealLines::~RealLines() = default;

struct LineFft::Plan {
  std::unique_ptr<const ComplexLines> lines;
  Index fields;
  bool forward;
};

LineFft::LineFft(Index points, Index fields, FftDirection direction, FftMemory)
    : plan_(new Plan{pocket_fft().complex_lines(points), fields,
                     direction == FftDirection::forward}) {}
LineFft::~LineFft() = default;

void LineFft::operator()(std::complex<double>* x) const {
  plan_->lines->transform(as_numbers(x), plan_->fields, plan_->fields, plan_->forward);
}

struct PlaneFft::Plan {
  std::unique_ptr<const RealLines> along_rows;
  std::unique_ptr<const ComplexLines> along_columns;
  Index rows, columns, fields;
};

PlaneFft::PlaneFft(Index rows, Index columns, Index fields)
    : plan_(new Plan{pocket_fft().real_lines(columns), pocket_fft().complex_lines(rows), rows,
                     columns, fields}) {}
PlaneFft::~PlaneFft() = default;

void PlaneFft::operator()(const double* real, std::complex<double>* half_spectrum) const {
  const Index fields = plan_->fields, half = plan_->columns / 2 + 1;
  double* spectrum = as_numbers(half_spectrum);
  for (Index row = 0; row < plan_->rows; ++row)
    plan_->along_rows->forward(real + row * plan_->columns * fields, {fields, 1},
                               spectrum + 2 * row * half * fields, {2 * fields, 2}, fields);
  plan_->along_columns->transform(spectrum, half * fields, half * fields, true);
}

struct GridFft::Plan {
  std::unique_ptr<const RealLines> along_x;
  std::unique_ptr<const ComplexLines> along_y, along_z;
  Index half, ny, nz;

  LineSteps rows() const { return {1, 2 * half}; }
  LineSteps half_spectra() const { return {2, 2 * half}; }
  void transform_y_and_z(double* field, bool forward) const {
    for (Index z = 0; z < nz; ++z)
      along_y->transform(field + 2 * z * ny * half, half, half, forward);
    along_z->transform(field, ny * half, ny * half, forward);
  }
};

GridFft::GridFft(const std::array<Index, 3>& size)
    : plan_(new Plan{pocket_fft().real_lines(size[0]), pocket_fft().complex_lines(size[1]),
                     pocket_fft().complex_lines(size[2]), size[0] / 2 + 1, size[1], size[2]}) {}
GridFft::~GridFft() = default;

void GridFft::forward(double* field) const {
  plan_->along_x->forward(field, plan_->rows(), field, plan_->half_spectra(),
                          plan_->ny * plan_->nz);
  plan_->transform_y_and_z(field, true);
}

void GridFft::backward(double* field) const {
  plan_->transform_y_and_z(field, false);
  plan_->along_x->backward(field, plan_->half_spectra(), field, plan_->rows(),
                           plan_->ny * plan_->nz);
}

}  // namespace larmor
