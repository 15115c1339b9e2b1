#pragma once
// What a reader says about a bad text, and whether that holds the words it should.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <limber/error.hpp>

namespace limber::test {

/// The message of the Error that `action` throws; a note when it throws none.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

/// Every one of `words` is part of `message`.
inline void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos)
        << "'" << word << "' is missing in: " << message;
}

/// All warnings, one per line.
inline std::string joined(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += warning + "\n";
  return text;
}

}  // namespace limber::test
