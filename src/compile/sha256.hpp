#pragma once
// SHA-256 (FIPS 180-4), by which compiled code is known and checked: no other bytes with the same
// sum can be found, not even on purpose.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace limber {

/// The sum of bytes that come piece by piece.
class Sha256 {
 public:
  void add(const void* data, std::size_t size);
  /// Of all bytes up to here, as 64 hexadecimal digits.
  std::string hexadecimal() const;

 private:
  void add_block(const unsigned char* block);

  static constexpr std::size_t block_size = 64;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_size> rest_{};  ///< bytes that fill no block yet
  std::uint64_t size_ = 0;
};

std::string sha256(std::string_view text);

}  // namespace limber
