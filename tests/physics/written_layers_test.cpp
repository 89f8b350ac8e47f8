// The results contain the layers over which topological charges are summed.
// Rooms: io, study

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/io/results/results_model.hpp"
#include "larmor/lattice/triangulation.hpp"
#include "study_test.hpp"

namespace larmor::written_layers_tests {
namespace {

class WrittenLayers : public testing_support::StudyTest {
 protected:
  /// The results of a short run on this lattice.
  io::ResultsReader results_on(const std::string& lattice) const {
    return results_of("replicas=1\n", "[lattice]\n" + lattice +
                                          "[field]\nB=[0,0,1]\n[[stage]]\nkind='monte-carlo'\n"
                                          "temperature=1.0\nsweeps=10\n");
  }

  /// @return the layer of each site, from the layers of the first cell in the file
  static std::vector<Index> layers_of_sites(const io::ResultsReader& file) {
    const auto of_atom = file.read<std::int64_t>("/model/basis_layer");
    const Index per_cell = file.attributes("/model/basis_layer").at("layers_per_cell").integer();
    const lattice::Geometry geometry = io::read_geometry(file);
    std::vector<Index> layers;
    for (Index site = 0; site < geometry.sites(); ++site) {
      const Index z = geometry.decode(site).cell[2], all = per_cell * geometry.size[2];
      Index layer = of_atom[static_cast<std::size_t>(geometry.basis_index(site))] + per_cell * z;
      if (geometry.periodic[2]) layer = (layer % all + all) % all;
      layers.push_back(layer);
    }
    return layers;
  }
};

const std::string honeycomb = "cell=[[1,0,0],[-0.5,0.8660254037844386,0],[0.3,0.2,5]]\n";

TEST_F(WrittenLayers, GoOnAcrossTheEndOfAPeriodicCell) {
  const std::string buckled =
      honeycomb +
      "basis=[[0.3333333333333333,0.6666666666666666,0.01],[0.6666666666666666,"
      "0.3333333333333333,0.99]]\nsize=[3,3,4]\n";
  const io::ResultsReader joined = results_on(buckled);
  EXPECT_EQ(joined.read<std::int64_t>("/model/basis_layer"), (std::vector<std::int64_t>{-1, 0}));
  EXPECT_EQ(joined.attributes("/model/basis_layer").at("layers_per_cell").integer(), 1);
  const lattice::Geometry geometry = io::read_geometry(joined);
  const std::vector<Index> layers = layers_of_sites(joined);
  for (const lattice::Triangle& t : lattice::triangulate_layers(geometry))
    for (const Index corner : t)
      EXPECT_EQ(layers[static_cast<std::size_t>(corner)], layers[static_cast<std::size_t>(t[0])]);
  // If a boundary is open or the layer thickness is smaller, the layers stay separate.
  for (const std::string more : {"periodic=[true,true,false]\n", "layer_thickness=0.05\n"}) {
    const io::ResultsReader apart = results_on(buckled + more);
    EXPECT_EQ(apart.read<std::int64_t>("/model/basis_layer"), (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(apart.attributes("/model/basis_layer").at("layers_per_cell").integer(), 2);
  }
}

TEST_F(WrittenLayers, RiseWithTheHeightOfTheirSites) {
  // The basis puts two atoms outside their cell.
  const std::string basis = "basis=[[0,0,0.25],[0.5,0.5,1.25],[0,0.5,-0.3]]\nsize=[2,2,3]\n";
  for (const std::string periodic : {"periodic=[true,true,false]\n", "periodic=[true]\n"}) {
    const io::ResultsReader file = results_on(honeycomb + basis + periodic);
    EXPECT_EQ(file.attributes("/model/basis_layer").at("layers_per_cell").integer(), 2);
    const lattice::Geometry geometry = io::read_geometry(file);
    const std::vector<Index> layers = layers_of_sites(file);
    for (std::size_t site = 0; site < layers.size(); ++site) {
      // The height is in units of the cell, whose two layers lie at 0.25 and 0.7.
      double height = geometry.position(static_cast<Index>(site)).z / 5;
      if (geometry.periodic[2]) height -= 3 * std::floor(height / 3);
      const double cell = std::floor(height);
      EXPECT_EQ(layers[site], std::lround(2 * cell) + (height - cell > 0.5 ? 1 : 0)) << site;
    }
  }
}

TEST_F(WrittenLayers, OfAChainIsOneAndOfPlainPositionsNone) {
  const io::ResultsReader chain = results_on("type='chain'\nsize=[5]\n");
  EXPECT_EQ(chain.read<std::int64_t>("/model/basis_layer"), (std::vector<std::int64_t>{0}));
  write_file("three.xyz", "3\n\nFe 0 0 0\nFe 1 0 0\nFe 0 1 0\n");
  EXPECT_FALSE(results_on("file='three.xyz'\n").exists("/model/basis_layer"));
}

TEST_F(WrittenLayers, AThicknessThatTellsNoneApartIsRefusedAtItsKey) {
  try {
    results_on("type='sc'\nsize=[3,3,3]\nlayer_thickness=1.1\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("layers cannot be distinguished"), std::string::npos);
    EXPECT_TRUE(error.has_position());
  }
}

}  // namespace
}  // namespace larmor::written_layers_tests
