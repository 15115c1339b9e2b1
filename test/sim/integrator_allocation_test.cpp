// No step of Limber's own methods allocates, whichever thread works. The counting operator new
// below serves the whole test program and counts only while it is told to.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "sim/problems.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ inlines one side of the pair and then thinks the two do not belong together
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {

std::atomic<bool> counting = false;
std::atomic<long> allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  // aligned_alloc wants a multiple of the alignment
  void* memory = std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace limber::test {
namespace {

template <class F>
long allocations_in(F call) {
  allocations = 0;
  counting = true;
  call();
  counting = false;
  return allocations;
}

TEST(IntegratorAllocation, IsCounted) {
  EXPECT_EQ(allocations_in([] { std::vector<double>(100); }), 1);
  EXPECT_EQ(allocations_in([] {}), 0);
}

TEST(IntegratorAllocation, NoneInSteps) {
  const Model model = spinning_robot();
  for (const IntegratorMethod& method : integrator_methods()) {
    if (method.name.starts_with("cvode")) continue;
    RobotOde ode(model, 2);
    IntegratorSettings settings{std::string(method.name), 0.01};
    settings.threads = method.block;
    const auto integrator = make_integrator(settings);
    const std::vector<double> start = spinning_state();
    std::vector<double> between(start.size());
    integrator->start(ode, 0, start);
    EXPECT_EQ(allocations_in([&] {
                for (int k = 1; k <= 20; ++k) {
                  integrator->step(0.0123 * k);
                  integrator->interpolate(integrator->t() - 0.001, between);
                }
                integrator->start(ode, integrator->t(), between);
                for (int k = 0; k < 20; ++k) integrator->step(100);
              }),
              0)
        << method.name;
  }
}

}  // namespace
}  // namespace limber::test
