#include "larmor/io/hdf5_copy.hpp"

namespace larmor::io {
namespace {

std::string inside(const std::string& group, const std::string& name) {
  return (group == "/" ? "" : group) + "/" + name;
}

/// All but those by which HDF5 knows dimension scales, which are references within a file.
void copy_attributes(const Hdf5File& from, const std::string& path, Hdf5File& into,
                     const std::string& to) {
  for (const auto& [name, value] : from.attributes(path))
    if (name != "CLASS" && name != "NAME") into.set_attribute(to, name, value);
}

/// Small ones are written anew: series keep room to grow, most of what a small file takes.
void copy_dataset(const Hdf5File& from, const std::string& path, Hdf5File& into,
                  const std::string& to) {
  constexpr Index small = 1 << 17;  // elements
  if (element_count(from.info(path).shape) <= small)
    into.write(to, from.read(path));
  else
    into.copy_dataset(from, path, to);
  copy_attributes(from, path, into, to);
}

void copy_contents(const Hdf5File& from, const std::string& group, Hdf5File& into,
                   const std::string& to, const Links& links) {
  into.require_group(to);
  copy_attributes(from, group, into, to);
  for (const std::string& name : from.children(group)) {
    const std::string source = inside(group, name), target = inside(to, name);
    if (const auto there = links.find(name); there != links.end())
      into.link(there->second, target);
    else if (from.is_group(source))
      copy_contents(from, source, into, target, {});
    else
      copy_dataset(from, source, into, target);
  }
}

/// @param path of a group in `group`, or that itself
void attach_scales(const Hdf5File& from, const std::string& group, const std::string& path,
                   Hdf5File& into, const std::string& to, const Links& links) {
  const auto copy_of = [&](const std::string& object) {
    return inside(to, object.substr(group == "/" ? 1 : group.size() + 1));
  };
  for (const std::string& name : from.children(path)) {
    const std::string source = inside(path, name);
    if (links.contains(name)) continue;
    if (from.is_group(source)) {
      attach_scales(from, group, source, into, to, {});
      continue;
    }
    const auto axes = static_cast<Index>(from.info(source).shape.size());
    for (Index axis = 0; axis < axes; ++axis)
      if (const std::string scale = from.scale(source, axis); !scale.empty())
        into.attach_scale(copy_of(source), axis, copy_of(scale));
  }
}

}  // namespace

void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to, const Links& links) {
  copy_contents(from, group, into, to, links);
  attach_scales(from, group, group, into, to, links);
}

}  // namespace larmor::io
