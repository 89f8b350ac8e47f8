#pragma once
// Notes for users, which are not errors, joined in one text.

#include <string>

namespace larmor {

inline constexpr const char* between_notes = "\nnote: ";

/// @param note one note, several joined by between_notes, or none if empty
inline void add_note(std::string& notes, const std::string& note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += between_notes;
  notes += note;
}

}  // namespace larmor
