#pragma once
// What a C or C++ compiler sees of a text: tokens and ends of lines, without comments. Written for
// checking generated text; it believes in more ends of lines than compilers do.
#include <string>
#include <string_view>
#include <vector>

namespace limber::fuzz {

struct Token {
  enum class Kind { identifier, text, line_end, other, broken };
  Kind kind = Kind::other;
  std::string spelling;  ///< of a text without its quotes
};

enum class Trigraphs { replaced, left };  ///< as with -std=c99, as with -std=gnu99

std::vector<Token> tokens(std::string_view source, Trigraphs trigraphs);

}  // namespace limber::fuzz
