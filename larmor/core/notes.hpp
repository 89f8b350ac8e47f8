#pragma once
// Notes for users, which are no errors: one after the other in a text.

#include <string>

namespace larmor {

inline constexpr const char* between_notes = "\nnote: ";

/// @param note one, several with between_notes between them, or none if it is empty
inline void add_note(std::string& notes, const std::string& note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += between_notes;
  notes += note;
}

}  // namespace larmor
