#pragma once
// What the command prints: JSON lines with 17 digits, plain text, and how a failed write ends the
// run. All of it is printable (printable.hpp), whatever names and files hold.
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <limber/math/mat3.hpp>
#include <limber/model/workspace.hpp>

namespace limber::app {

using Json = nlohmann::ordered_json;

/// The run failed although the input was fine: exit status 1.
struct RunFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The run was computed and its files are there, but its numbers are not to be trusted: exit status
/// 3.
struct InaccurateRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes to standard output at once. Throws RunFailure.
void write(std::string_view text);
/// Writes one JSON value as one line.
void write_line(const Json& value);
/// Throws RunFailure if something that was printed did not reach standard output.
void expect_written();
/// A remark for the person at the terminal, to standard error.
void remark(std::string_view text);

/// The text of a JSON value, numbers as %.17g; null for a number that is not finite.
std::string to_text(const Json& value);

Json to_json(std::span<const double> values);
Json to_json(const Vec3<double>& v);
Json to_json(const Mat3<double>& A);  ///< three rows
Json to_json(const MatrixView<double>& A);
Json to_json(const TreeMatrixView<double>& A);

/// Throws RunFailure if a result holds NaN or infinity; `what` and `place` name it in the message.
void expect_finite(std::span<const double> values, std::string_view what, std::string_view place);

}  // namespace limber::app
