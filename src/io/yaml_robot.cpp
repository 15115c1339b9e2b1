// A robot in YAML: which of the two formats it is.
#include <limber/io/load.hpp>

#include "io/text_file.hpp"
#include "io/yaml_parts.hpp"

namespace limber {

Spec parse_yaml(std::string_view text, const std::string& file) {
  expect_text(text, file, "YAML");
  const YamlNode root = parse_yaml_document(text, file);
  const bool table = root.find("convention").is_defined(), tree = root.find("bodies").is_defined();
  if (!table && !tree)
    throw Error(
        {file, root.line(), ""},
        "not a robot: neither `convention:` (a DH table) nor `bodies:` (a tree of bodies and "
        "joints) is among its keys; see docs/robot-files.md");
  Spec spec = table ? read_dh_table(root, file) : read_tree(root, file);
  spec.format = table ? "YAML, a DH table" : "YAML, bodies and joints";
  return spec;
}

Spec read_yaml(const std::string& file) {
  return read_or_explain(file, [&] { return parse_yaml(read_text_file(file), file); });
}

}  // namespace limber
