#pragma once
// Texts for users and for other programs: escapes for texts of files and names in messages, so
// that they cannot control a terminal; strings of JSON; names of files in proposed commands;
// notes.

#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// A character as shown.
struct VisibleCharacter {
  std::string text;
  int width;  ///< columns that it takes
};

/// The characters of a text. Characters that control a terminal, and bytes that are not UTF-8,
/// become escapes: \x1b, \n. A tab stays.
std::vector<VisibleCharacter> visible_characters(std::string_view text);

/// The text with the escapes of `visible_characters`. @param kept a control character that is not
/// escaped
std::string visible(std::string_view text, char kept = '\t');

/// The text as a JSON string, quoted and escaped. @param text UTF-8
std::string json_string(const std::string& text);

/// The name of a file as a shell reads it, quoted only if necessary: 'my run.h5', ./-x.h5
std::string shell_word(const std::string& name);

inline constexpr const char* between_notes = "\nnote: ";

/// Adds notes to `notes`. @param note one note, several joined by between_notes, or none if empty
inline void add_note(std::string& notes, const std::string& note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += between_notes;
  notes += note;
}

}  // namespace larmor
