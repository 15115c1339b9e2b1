#pragma once
// Numbers of a report's data.
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace limber::test {

/// The bytes of a text in base64 after the four characters that say what they are.
inline std::vector<unsigned char> bytes_of(const std::string& text, const std::string& start) {
  EXPECT_EQ(text.substr(0, 4), start);
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0, group = 0;
  for (const char c : text.substr(4)) {
    if (c == '=') break;
    group = group << 6 | static_cast<unsigned>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<unsigned char>(group >> bits & 255U));
  }
  return bytes;
}

/// Reads base64 of 32-bit floating-point numbers.
inline std::vector<float> unpacked(const std::string& text) {
  const std::vector<unsigned char> bytes = bytes_of(text, "f32:");
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

}  // namespace limber::test
