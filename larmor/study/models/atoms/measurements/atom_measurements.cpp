#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"

#include "larmor/study/models/atoms/measurements/atom_trajectory.hpp"
#include "larmor/study/models/atoms/measurements/atoms_in_time.hpp"
#include "larmor/study/models/atoms/measurements/radial_distribution.hpp"
#include "larmor/study/models/atoms/measurements/thermodynamic_series.hpp"

namespace larmor::study {

const MeasureList<MdContext>& measured_by_md() {
  static const MeasureList<MdContext> list{
      {},
      {measurement_type<ThermodynamicSeries, MdContext>(),
       measurement_type<AtomTrajectory, MdContext>(),
       measurement_type<RadialDistribution, MdContext>(true),
       measurement_type<MeanSquaredDisplacement, MdContext>(true),
       measurement_type<VelocityAutocorrelation, MdContext>(true),
       measurement_type<PhononDensity, MdContext>(true)}};
  return list;
}

}  // namespace larmor::study
