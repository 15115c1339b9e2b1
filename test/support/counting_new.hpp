#pragma once
// Counts allocations of the whole test program, while it is told to. To be included by one file of
// a program: it replaces operator new.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__GNUC__) && !defined(__clang__)
// g++ inlines one side of the pair and then thinks the two do not belong together
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace limber::test {

inline std::atomic<bool> counting = false;
inline std::atomic<long> allocations = 0;

/// Null where there is no memory.
inline void* counted_allocation(std::size_t size, std::size_t alignment) noexcept {
  if (counting) ++allocations;
  // aligned_alloc wants a multiple of the alignment
  return std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
}

inline void* memory_or_throw(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

template <class F>
long allocations_in(F call) {
  allocations = 0;
  counting = true;
  call();
  counting = false;
  return allocations;
}

}  // namespace limber::test

// std::stable_sort asks without exceptions; under a sanitizer that is a function of its own
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return limber::test::counted_allocation(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return limber::test::counted_allocation(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size) {
  return limber::test::memory_or_throw(operator new(size, std::nothrow));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return limber::test::memory_or_throw(operator new(size, alignment, std::nothrow));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
