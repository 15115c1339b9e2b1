#pragma once
// How names of robots, joints and frames appear in text for a compiler. They come from files of
// strangers: everything that enters such a text goes through one of these functions.
#include <string>
#include <string_view>

namespace limber {

/// A name as part of an identifier: letters, digits and single underlines, a letter first and no
/// underline last, at most 100 characters. Not unique, and possibly a word of the languages: the
/// caller adds a suffix that no such word has ("_pose").
std::string identifier(std::string_view text);

/// A name as an identifier of its own: namespace, prefix of functions, name of files. What may
/// stand for something else in C, C++ or CUDA gets "_robot" behind: keywords, names of the
/// libraries and of their headers, macros (names in capitals), names of generated text and its
/// files.
std::string robot_identifier(std::string_view text);

/// A name inside a comment or a string: printable ASCII without backslash, quotes and question mark
/// (which begins trigraphs), other characters become underlines; at most 1000 characters.
std::string plain_text(std::string_view text);

/// The words that robot_identifier() leaves to others, separated by white space.
std::string_view taken_words();

}  // namespace limber
