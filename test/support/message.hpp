#pragma once
// Messages for people: what a call says when it refuses, and whether the words that help are in it.
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <limber/error.hpp>

namespace limber::test {

inline const std::string no_error = "(no error)";

/// What the Error thrown by `call` says.
template <class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return no_error;
}

/// All words stand in one of the texts.
inline testing::AssertionResult mentions(const std::vector<std::string>& texts,
                                         std::initializer_list<std::string> words) {
  for (const std::string& text : texts) {
    bool all = true;
    for (const std::string& word : words) all = all && text.find(word) != std::string::npos;
    if (all) return testing::AssertionSuccess();
  }
  auto failure = testing::AssertionFailure() << "no text with";
  for (const std::string& word : words) failure << " \"" << word << '"';
  failure << " among " << texts.size() << ":";
  for (const std::string& text : texts) failure << "\n  " << text;
  return failure;
}
inline testing::AssertionResult mentions(const std::string& text,
                                         std::initializer_list<std::string> words) {
  return mentions(std::vector<std::string>{text}, words);
}

}  // namespace limber::test
