// Rooms: io
#include "larmor/io/structures/ovf.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "larmor/core/error.hpp"
#include "tests/expectations.hpp"

namespace larmor::io {
namespace {

using testing_support::contains;

using Spins = std::vector<Vec3<double>>;

/// A file of a rectangular mesh of two nodes. `data` follows "# Begin: ".
std::string pair_file(const std::string& data) {
  return "# OOMMF OVF 2.0\n# Segment count: 1\n# Begin: Segment\n# Begin: Header\n# Title: pair\n"
         "# meshtype: rectangular\n# meshunit: nm\n# valuedim: 3\n# valuelabels: m_x m_y m_z\n"
         "# valueunits: A/m A/m A/m\n# xbase: 0.5\n# ybase: 1\n# zbase: 0\n# xstepsize: 2\n"
         "# ystepsize: 3\n# zstepsize: 4\n# xnodes: 2\n# ynodes: 1\n# znodes: 1\n# xmin: 0\n"
         "# End: Header\n# Begin: " +
         data;
}

const std::string pair_text =
    pair_file("Data Text\n1 2 3\n4 5 6\n# End: Data Text\n# End: Segment\n");

template <class Real>
std::string bytes_of(const std::vector<Real>& numbers) {
  std::string bytes(numbers.size() * sizeof(Real), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class OvfFiles : public testing::Test {
 protected:
  OvfFiles() { std::filesystem::create_directories(folder_); }
  ~OvfFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  OvfField read(const std::string& bytes) const {
    std::ofstream(path("in.ovf"), std::ios::binary) << bytes;
    return read_ovf(path("in.ovf"));
  }
  std::string refusal(const std::string& bytes) const {
    try {
      read(bytes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string written(const lattice::Geometry& geometry, const Spins& spins,
                      const OvfOptions& options) const {
    write_ovf(path("out.ovf"), geometry, spins, options, IfExists::replace);
    std::ostringstream text;
    text << std::ifstream(path("out.ovf"), std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor-ovf-test-" + std::to_string(::getpid()));
};

/// Spins in different directions, with many significant digits.
Spins some_spins(Index count) {
  Spins spins;
  for (Index i = 0; i < count; ++i) {
    const double a = 0.1 + 0.7 * static_cast<double>(i);
    spins.push_back({std::sin(a) * std::cos(3 * a), std::sin(a) * std::sin(3 * a), std::cos(a)});
  }
  return spins;
}

lattice::Geometry named(const char* type, double a, const std::vector<Index>& size) {
  return lattice::make_lattice(lattice::named_crystal(type, a), size, {true});
}

TEST_F(OvfFiles, RectangularTextIsTheFileOfTheGuide) {
  OvfOptions options;
  options.data = OvfData::text;
  options.title = "two ## spins\nof a chain";
  options.time = 0.25;
  EXPECT_EQ(written(named("chain", 2, {2}), {{0, 0, 1}, {0.1, 0, -1}}, options),
            "# OOMMF OVF 2.0\n"
            "# Segment count: 1\n"
            "# Begin: Segment\n"
            "# Begin: Header\n"
            "# Title: two # spins of a chain\n"
            "# Desc: Total simulation time: 0.25\n"
            "# meshunit: 1\n"
            "# meshtype: rectangular\n"
            "# xmin: -1\n# ymin: -1\n# zmin: -1\n"
            "# xmax: 3\n# ymax: 1\n# zmax: 1\n"
            "# valuedim: 3\n"
            "# valuelabels: spin_x spin_y spin_z\n"
            "# valueunits: 1 1 1\n"
            "# xbase: 0\n# ybase: 0\n# zbase: 0\n"
            "# xstepsize: 2\n# ystepsize: 2\n# zstepsize: 2\n"
            "# xnodes: 2\n# ynodes: 1\n# znodes: 1\n"
            "# End: Header\n"
            "# Begin: Data Text\n"
            "0 0 1\n"
            "0.1 0 -1\n"
            "# End: Data Text\n"
            "# End: Segment\n");
}

TEST_F(OvfFiles, BinaryBeginsWithTheCheckValueAndEndsWithANewline) {
  const std::string file = written(named("chain", 2, {2}), {{0, 0, 1}, {0.1, 0, -1}}, {});
  const std::string block = "# Begin: Data Binary 8\n" +
                            bytes_of<double>({123456789012345.0, 0, 0, 1, 0.1, 0, -1}) +
                            "\n# End: Data Binary 8\n# End: Segment\n";
  EXPECT_TRUE(file.ends_with(block));
  // The guide to OVF gives these bytes, least significant first.
  EXPECT_TRUE(contains(file, "Binary 8\n\x40\xDE\x77\x83\x21\x12\xDC\x42"));
}

TEST_F(OvfFiles, RectangularMeshesReadBackBitForBit) {
  lattice::Crystal oblong = lattice::named_crystal("sc", 1);
  oblong.cell = {{{1.5, 0, 0}, {0, 2.5, 0}, {0, 0, 3.5}}};
  oblong.basis[0].fractional = {0.5, 0.25, 0};
  for (const OvfData data : {OvfData::text, OvfData::binary_8}) {
    for (const lattice::Geometry& geometry :
         {named("chain", 2.87, {5}), named("square", 1.1, {4, 3}), named("sc", 0.3, {4, 3, 2}),
          lattice::make_lattice(oblong, {4, 3, 2}, {false})}) {
      OvfOptions options;
      options.data = data;
      options.title = "a title";
      const Spins spins = some_spins(geometry.sites());
      write_ovf(path("out.ovf"), geometry, spins, options, IfExists::replace);
      const OvfField field = read_ovf(path("out.ovf"));
      EXPECT_EQ(field.title, "a title");
      EXPECT_EQ(field.mesh_unit, "1");
      EXPECT_EQ(field.value_units, "1 1 1");
      EXPECT_EQ(field.nodes, geometry.size);
      EXPECT_EQ(field.base, geometry.position(0));
      EXPECT_EQ(field.step.x, geometry.crystal.cell[0].x);
      EXPECT_EQ(field.step.y, geometry.crystal.cell[1].y);
      EXPECT_EQ(field.step.z, geometry.crystal.cell[2].z);
      EXPECT_EQ(field.values, spins);
      for (Index site = 0; site < geometry.sites(); ++site) {
        const auto cell = geometry.decode(site).cell;
        EXPECT_EQ(site, cell[0] + field.nodes[0] * (cell[1] + field.nodes[1] * cell[2]));
      }
    }
  }
}

TEST_F(OvfFiles, MomentsAreSpinsTimesTheirSize) {
  lattice::Crystal crystal = lattice::named_crystal("square", 2);
  crystal.basis[0].moment = 2.5;
  const lattice::Geometry geometry = lattice::make_lattice(crystal, {2, 1}, {true});
  OvfOptions options;
  options.moments = true;
  options.units = UnitSystem::material;
  const std::string file = written(geometry, {{0, 0, 1}, {0.6, 0, -0.8}}, options);
  EXPECT_TRUE(contains(file, "# valuelabels: moment_x moment_y moment_z\n"));
  EXPECT_TRUE(contains(file, "# valueunits: mu_B mu_B mu_B\n"));
  EXPECT_TRUE(contains(file, "# meshunit: Angstrom\n"));
  EXPECT_EQ(read_ovf(path("out.ovf")).values, (Spins{{0, 0, 2.5}, {1.5, 0, -2}}));
}

TEST_F(OvfFiles, OtherLatticesAreIrregularMeshesOfPositionsAndValues) {
  OvfOptions options;
  options.data = OvfData::text;
  const Spins spins{{0, 0, 1}, {0, 0.5, -1}};
  const std::string text = written(named("bcc", 3, {1, 1, 1}), spins, options);
  EXPECT_TRUE(contains(text, "# meshtype: irregular\n"));
  EXPECT_TRUE(contains(text, "# pointcount: 2\n# End: Header\n"));
  EXPECT_TRUE(contains(text, "# xmax: 1.5\n"));
  EXPECT_TRUE(contains(text, "Text\n0 0 0 0 0 1\n1.5 1.5 1.5 0 0.5 -1\n# End"));
  EXPECT_EQ(text.find("stepsize"), std::string::npos);
  const std::string binary = written(named("bcc", 3, {1, 1, 1}), spins, {});
  EXPECT_TRUE(contains(
      binary, bytes_of<double>({123456789012345.0, 0, 0, 0, 0, 0, 1, 1.5, 1.5, 1.5, 0, 0.5, -1}) +
                  "\n# End: Data Binary 8\n"));
  EXPECT_TRUE(contains(refusal(text), "the mesh is irregular"));
  EXPECT_TRUE(contains(written(named("triangular", 1, {2, 1}), spins, options), "irregular"));
  // If a rectangular cell has exchanged vectors, the file would need sites in another order.
  lattice::Crystal turned = lattice::named_crystal("square", 1);
  std::swap(turned.cell[0], turned.cell[1]);
  EXPECT_TRUE(contains(written(lattice::make_lattice(turned, {2, 1}, {true}), spins, options),
                       "irregular"));
  lattice::Geometry plain = named("chain", 1, {2});
  plain.plain_positions = true;
  EXPECT_TRUE(contains(written(plain, spins, options), "irregular"));
}

TEST_F(OvfFiles, FilesOfOtherProgramsAreRead) {
  const Spins values{{1, 2, 3}, {4, 5, 6}};
  const OvfField field = read(pair_text);
  EXPECT_EQ(field.values, values);
  EXPECT_EQ(field.base, (Vec3<double>{0.5, 1, 0}));
  EXPECT_EQ(field.step, (Vec3<double>{2, 3, 4}));
  EXPECT_EQ(field.title, "pair");
  EXPECT_EQ(field.value_units, "A/m A/m A/m");
  EXPECT_EQ(read(pair_file("data text\r\n 1 2 3 4\t5\r\n## a comment\r\n6 ## and one\r\n"
                           "# end: data text\r\n"))
                .values,
            values);
  EXPECT_EQ(
      read(replaced(pair_text, "# xnodes: 2", "#XNodes:2 ## along x\n#\n# Desc: a\n# Desc: b"))
          .values,
      values);
  const std::string doubles = bytes_of<double>({123456789012345.0, 1, 2, 3, 4, 5, 6});
  const std::string floats = bytes_of<float>({1234567.0F, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(read(pair_file("Data Binary 8\n" + doubles + "\n# End: Data Binary 8\n")).values,
            values);
  // Some programs write no newline after the last number.
  EXPECT_EQ(read(pair_file("Data Binary 4\n" + floats + "# End: Data Binary 4\n")).values, values);
}

TEST_F(OvfFiles, MalformedHeadersAreRefusedWhereTheyAre) {
  const auto with = [&](const std::string& from, const std::string& to) {
    return refusal(replaced(pair_text, from, to));
  };
  EXPECT_TRUE(contains(refusal(""), "in.ovf:1:1: "));
  EXPECT_TRUE(contains(refusal("1 2 3\n"), "does not begin with '# OOMMF OVF 2.0'"));
  EXPECT_TRUE(contains(with("# OOMMF OVF 2.0", "# OOMMF: rectangular mesh v1.0"),
                       "another version of OVF"));
  EXPECT_TRUE(
      contains(with("count: 1", "count: 2"), "in.ovf:2:18: error: the file has 2 segments"));
  EXPECT_TRUE(contains(with("# xnodes: 2\n", ""), "lacks xnodes"));
  EXPECT_TRUE(contains(with("# xnodes: 2", "# xnodes: 0"), "in.ovf:17:11: "));
  EXPECT_TRUE(contains(with("# xnodes: 2", "# xnodes: 1.5"), "not a whole number"));
  EXPECT_TRUE(contains(with("# xnodes: 2", "# xnodes: 99999999999"), "not a whole number"));
  EXPECT_TRUE(contains(with("# xnodes: 2\n# ynodes: 1\n", "# xnodes: 2147483647\n# ynodes: 2\n"),
                       "more than 2^31 - 1 nodes"));
  EXPECT_TRUE(contains(with("# xbase: 0.5", "# xbase: half"), "xbase is \"half\""));
  EXPECT_TRUE(contains(with("# xbase: 0.5", "# xbase: 0\n# xbase: 1"), "xbase is given twice"));
  EXPECT_TRUE(contains(with("dim: 3", "dim: 1"), "three components"));
  EXPECT_TRUE(contains(with("rectangular", "irregular"), "the mesh is irregular"));
  EXPECT_TRUE(contains(with("# xmin: 0", "# valuemultiplier: 2"), "valuemultiplier"));
  EXPECT_TRUE(contains(with("# xmin: 0", "xmin: 0"), "does not begin with #"));
  EXPECT_TRUE(contains(with("Data Text", "Data Base64"), "neither text nor binary"));
  EXPECT_TRUE(contains(refusal(pair_text.substr(0, 60)), "ends before its data"));
  EXPECT_THROW(read_ovf(path("none.ovf")), InputError);
}

TEST_F(OvfFiles, DamagedDataAreRefused) {
  const auto text = [&](const std::string& data) {
    return refusal(pair_file("Data Text\n" + data + "# End: Data Text\n"));
  };
  EXPECT_TRUE(contains(text("1 2 3\n4 5\n"), "the data end after 1 of 2 values"));
  EXPECT_TRUE(contains(refusal(pair_file("Data Text\n1 2 3\n")), "the data end after 1 of 2"));
  EXPECT_TRUE(contains(text("1 2 3 4 5 6 7\n"), "more than 2 values"));
  EXPECT_TRUE(contains(text("1 2 3\n4 5 6\n7 8 9\n"), "do not end with"));
  EXPECT_TRUE(contains(text("1 2 3\n4 five 6\n"), "in.ovf:24:3: error: the component y"));
  EXPECT_TRUE(contains(text("1 2 3\n4 5 nan\n"), "not a finite number"));

  const auto binary = [&](const std::vector<double>& numbers, const std::string& end) {
    return refusal(pair_file("Data Binary 8\n" + bytes_of(numbers) + end));
  };
  const std::string end = "\n# End: Data Binary 8\n";
  EXPECT_TRUE(contains(binary({123456789012345.0, 1, 2, 3}, ""), "have 32 bytes of 56"));
  EXPECT_TRUE(contains(binary({1234567.0, 1, 2, 3, 4, 5, 6}, end), "check value"));
  EXPECT_TRUE(contains(binary({123456789012345.0, 1, 2, 3, 4, 5, 6, 7}, end), "do not end with"));
  EXPECT_TRUE(contains(binary({123456789012345.0, 1, 2, 3, 4, 5, NAN}, end), "node 1 is not"));
  EXPECT_TRUE(contains(binary({123456789012345.0, 1, 2, 3, 4, 5, 6}, ""), "do not end with"));
}

TEST_F(OvfFiles, ExistingFilesAreReplacedOnlyWhenToldTo) {
  const lattice::Geometry geometry = named("chain", 1, {2});
  const Spins spins = some_spins(2);
  std::ofstream(path("out.ovf")) << "old";
  EXPECT_THROW(write_ovf(path("out.ovf"), geometry, spins, {}, IfExists::refuse), InputError);
  EXPECT_EQ(std::filesystem::file_size(path("out.ovf")), 3U);
  EXPECT_THROW(write_ovf(path("out.ovf"), geometry, some_spins(3), {}, IfExists::replace),
               InternalError);
  EXPECT_EQ(std::filesystem::file_size(path("out.ovf")), 3U);
  write_ovf(path("out.ovf"), geometry, spins, {}, IfExists::replace);
  EXPECT_EQ(read_ovf(path("out.ovf")).values, spins);
  EXPECT_THROW(write_ovf(path("no/out.ovf"), geometry, spins, {}, IfExists::replace), InputError);
}

}  // namespace
}  // namespace larmor::io
