#pragma once
// What the texts of all languages have in common: headings, comments, lists of arguments, numbers.
#include <string>
#include <string_view>
#include <vector>

#include <limber/compile/source.hpp>

#include "compile/stages.hpp"

namespace limber {

/// A constant as C and C++ read it, with a decimal point or an exponent; reading it back gives the
/// same bits. Throws Error for what is not finite.
std::string number_text(double value);

/// Puts numbers in the place of all names that the robot's file has given. Code that is compiled
/// and run at once is written without them: nobody reads them, and a compiler sees nothing of the
/// file.
void remove_names(TracedRobot& robot);

/// The first lines of a file, comments: whose robot this is, what was folded into it, what is free.
std::string heading(const TracedRobot& robot, std::string_view what);

/// The comment of a function: its cost and its arrays.
std::string function_comment(const Program& program, std::string_view prefix);

/// "const T* q, const T* v, T* tau" for the type T.
std::string parameter_list(const Program& program, std::string_view type);
/// "q, v, tau": every name given through `form`, in which {} is the name; tables through a form of
/// their own.
std::string argument_list(const Program& program, std::string_view form,
                          std::string_view table_form);
inline std::string argument_list(const Program& program, std::string_view form = "{}") {
  return argument_list(program, form, form);
}

/// "In 3 stages; …", a line of the comment of a function; nothing where there is one stage.
std::string stages_comment(const StagedProgram& staged, std::string_view prefix);
/// The body of a function in stages: the array of the values that cross, and a call of each stage.
/// `array` declares that array of numbers of the type `type`, `call` begins a call; in both, {} is
/// the size and the name.
std::string staged_body(const StagedProgram& staged, std::string_view type, std::string_view array,
                        std::string_view call);

/// ", but heights[e] for all states": which arrays are tables; nothing where there is none.
std::string tables_clause(const Program& program);

/// Arguments of a step within a rollout: "q_now, v_now, tau, …, q_next, v_next", …
std::string step_arguments(const Program& step);
/// … and the results beside the state: ", loop_gaps, …", or nothing.
std::string other_results(const Program& step);
/// `form` for each array that a rollout carries on, one after the other: {0} input, {1} output, {2}
/// numbers.
std::string for_carried(const Program& step, const std::string& form);

/// Input arrays that no instruction reads.
std::vector<std::string> unread_inputs(const Program& program);

/// The program of the function with this name; null where the robot has none.
const Program* find_program(const TracedRobot& robot, RobotFunction function);

/// "\"a\", \"b\"": texts as C strings.
std::string quoted_list(const std::vector<std::string>& texts);

/// Where the stages of long functions are defined: in the header, or in files of their own, so that
/// several compilers can work on them at once.
enum class StagePlace : std::uint8_t { header, own_files };
std::string cpp_header(const TracedRobot& robot, StagePlace place);
std::string lanes_header(const TracedRobot& robot, StagePlace place);
/// The header of derivatives column by column; stages have files of their own.
struct LanesGradient;
std::string lanes_header(const TracedRobot& robot, const LanesGradient& gradient);
/// One stage, as a template.
std::string cpp_stage(const Program& stage);
std::string lanes_stage(const Program& stage);
/// The headers that the text of lanes includes.
std::vector<GeneratedFile> pack_files();
std::vector<GeneratedFile> column_files();

// The files of each target.
std::vector<GeneratedFile> cpp_files(const TracedRobot& robot);
std::vector<GeneratedFile> lanes_files(const TracedRobot& robot);
std::vector<GeneratedFile> c_files(const TracedRobot& robot);
std::vector<GeneratedFile> cuda_files(const TracedRobot& robot);

}  // namespace limber
