#pragma once
// Counts allocations. The operators new and delete below serve a whole test program, so that one of
// its files includes this; they count only while they are told to.
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__GNUC__) && !defined(__clang__)
// g++ inlines one side of the pair and then thinks the two do not belong together
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {

thread_local bool counting = false;
thread_local long allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  // aligned_alloc wants a multiple of the alignment
  void* memory = std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace limber::test {

template <class F>
long allocations_in(F&& call) {
  allocations = 0;
  counting = true;
  call();
  counting = false;
  return allocations;
}

}  // namespace limber::test
