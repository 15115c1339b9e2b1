#include "study/chain.hpp"

#include <cmath>

namespace limber::app::study {

namespace {

template <class T>
T variable(double value) {
  if constexpr (std::is_same_v<T, Counted>) return Counted::variable(value);
  else return value;
}

// numbers without pattern between −1 and 1
template <class T>
std::vector<T> numbers(int n, int index, int which, double scale) {
  std::vector<T> x;
  for (int i = 1; i <= n; ++i)
    x.push_back(variable<T>(scale * std::sin(37.719 * i + 11.135 * index + 4.581 * which)));
  return x;
}

}  // namespace

template <class T>
State<T> state_of(int n, int index) {
  return {numbers<T>(n, index, 1, 3.0), numbers<T>(n, index, 2, 2.0), numbers<T>(n, index, 3, 5.0),
          numbers<T>(n, index, 4, 20.0)};
}
template State<double> state_of(int, int);
template State<Counted> state_of(int, int);

template <class T>
Chain<T>::Chain(int links)
    : n(links),
      mdh(reference::mdh_test_chain(links)),
      handbook(reference::handbook_chain(reference::to_spec(mdh))),
      model(cast<T>(build(reference::to_spec(mdh)))),
      ws(model),
      zero(static_cast<std::size_t>(links)) {}
template struct Chain<double>;
template struct Chain<Counted>;

}  // namespace limber::app::study
