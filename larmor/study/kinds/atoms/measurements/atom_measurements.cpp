#include "larmor/study/kinds/atoms/measurements/atom_measurements.hpp"

#include "larmor/study/kinds/atoms/measurements/atom_trajectory.hpp"
#include "larmor/study/kinds/atoms/measurements/atoms_in_time.hpp"
#include "larmor/study/kinds/atoms/measurements/radial_distribution.hpp"
#include "larmor/study/kinds/atoms/measurements/thermodynamic_series.hpp"

namespace larmor::study {

const MeasureList<MdCourse>& measured_by_md() {
  static const MeasureList<MdCourse> list{
      {},
      {measurement_type<ThermodynamicSeries, MdCourse>(),
       measurement_type<AtomTrajectory, MdCourse>(),
       measurement_type<RadialDistribution, MdCourse>(true),
       measurement_type<MeanSquaredDisplacement, MdCourse>(true),
       measurement_type<VelocityAutocorrelation, MdCourse>(true),
       measurement_type<PhononDensity, MdCourse>(true)}};
  return list;
}

}  // namespace larmor::study
