#include "c_tokens.hpp"

namespace limber::fuzz {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_line(char c) { return c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

std::string without_trigraphs(std::string_view source) {
  static constexpr std::string_view third = "=/'()!<>-", meaning = "#\\^[]|{}~";
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t k = source.substr(i, 2) == "?\?" && i + 2 < source.size()
                              ? third.find(source[i + 2])
                              : third.npos;
    text += k == third.npos ? source[i] : meaning[k];
    if (k != third.npos) i += 2;
  }
  return text;
}

/// Lines that end with a backslash, and blanks behind it, go on.
std::string with_whole_lines(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::size_t end = i + 1;
    if (source[i] == '\\')
      while (end < source.size() && (source[end] == ' ' || source[end] == '\t')) ++end;
    if (source[i] == '\\' && end < source.size() && ends_line(source[end])) i = end;
    else text += source[i];
  }
  return text;
}

class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}
  std::vector<Token> read() {
    while (at_ < text_.size()) next();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  void add(Token::Kind kind, std::string spelling) {
    tokens_.push_back({kind, std::move(spelling)});
  }
  void next() {
    const char c = peek();
    if (ends_line(c)) {
      add(Token::Kind::line_end, "");
      ++at_;
    } else if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      while (at_ < text_.size() && !ends_line(peek())) ++at_;
    } else if (c == '/' && peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == text_.npos) add(Token::Kind::broken, "comment");
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      read_text(c);
    } else if (is_letter(c)) {
      std::string word;
      while (is_letter(peek()) || is_digit(peek())) word += text_[at_++];
      add(Token::Kind::identifier, word);
    } else if (is_digit(c)) {
      std::string number;
      while (is_letter(peek()) || is_digit(peek()) || peek() == '.') number += text_[at_++];
      add(Token::Kind::other, number);
    } else {
      add(Token::Kind::other, std::string(1, c));
      ++at_;
    }
  }
  void read_text(char quote) {
    std::string content;
    for (++at_; peek() != quote; ++at_) {
      if (ends_line(peek())) return add(Token::Kind::broken, content);
      content += peek();
      if (peek() == '\\') content += text_[std::min(++at_, text_.size() - 1)];
    }
    ++at_;
    add(Token::Kind::text, content);
  }

  std::string text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens(std::string_view source, Trigraphs trigraphs) {
  const std::string text =
      trigraphs == Trigraphs::replaced ? without_trigraphs(source) : std::string(source);
  return Reader(with_whole_lines(text)).read();
}

}  // namespace limber::fuzz
