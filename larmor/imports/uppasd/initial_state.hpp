#pragma once
// The initial state: Initmag and its keywords.
//
//   1 random, 2 a cone about z, 3 the directions of the momfile, 4 a restart file, 5 the directions
//   of the momfile with random signs, 6 the directions of momfile_i, 8 a spiral: the direction of
//   the momfile, turned about initrotvec by 2 pi q.r + initrotang

#include <string>
#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"

namespace larmor::imports::uppasd {

/// [initial] of the study. @throws InputError for another Initmag, or files that do not fit
Value initial_state(const InputFile& input, const UppasdCrystal& crystal,
                    std::vector<std::string>& notes);

/// The keys of a state with the directions of the momfile, which spin waves deviate from.
Value state_of_momfile(const UppasdCrystal& crystal, const SourceMark& where);

/// The keys of a state with the directions of another momfile.
Value state_of_file(const InputFile& input, const Entry& entry, const UppasdCrystal& crystal);

}  // namespace larmor::imports::uppasd
