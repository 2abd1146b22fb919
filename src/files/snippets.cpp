#include "files/snippets.hpp"

#include <cmath>

#include "base/decimal.hpp"

namespace files {

using tensor::Index;
using tensor::Tensor;

namespace {

/// How a library writes ∞ and NaN.
struct Dialect {
  std::string_view import;
  std::string_view open;
  std::string_view close;
  std::string_view infinity;
  std::string_view minus_infinity;
  std::string_view nan;
};

constexpr Dialect numpy{
    "import numpy as np", "np.array(", ", dtype=np.float32)", "np.inf", "-np.inf", "np.nan"};
constexpr Dialect torch{"import torch",   "torch.tensor(",   ", dtype=torch.float32)",
                        "float(\"inf\")", "float(\"-inf\")", "float(\"nan\")"};

std::string number(float value, const Dialect& dialect) {
  if (std::isnan(value)) return std::string(dialect.nan);
  if (std::isinf(value)) return std::string(value > 0 ? dialect.infinity : dialect.minus_infinity);
  return float_text(value);
}

/// The axes from `axis` on as nested lists; each list of the last axis has its own line.
void put_lists(std::string& text, const Tensor& tensor, Index& index, std::size_t axis,
               const Dialect& dialect) {
  const std::string indent(4 * axis, ' ');
  if (axis + 1 == tensor.rank()) {
    text += indent + '[';
    for (index[axis] = 0; index[axis] < tensor.dim(axis); ++index[axis]) {
      if (index[axis] > 0) text += ", ";
      text += number(tensor.at(index), dialect);
    }
    text += ']';
    return;
  }
  text += indent + "[\n";
  for (index[axis] = 0; index[axis] < tensor.dim(axis); ++index[axis]) {
    put_lists(text, tensor, index, axis + 1, dialect);
    text += ",\n";
  }
  text += indent + ']';
}

std::string array(const Tensor& tensor, const Dialect& dialect) {
  std::string text(dialect.open);
  if (tensor.rank() == 0) {
    text += number(tensor.at(Index{}), dialect);
  } else {
    Index index = Index::filled(tensor.rank(), 0);
    put_lists(text, tensor, index, 0, dialect);
  }
  text += dialect.close;
  return text;
}

std::string code(std::string_view name, std::string_view comment, const Tensor& tensor,
                 const Dialect& dialect) {
  std::string text(dialect.import);
  text += "\n\n";
  if (!comment.empty()) text += "# " + std::string(comment) + '\n';
  return text + identifier(name) + " = " + array(tensor, dialect) + '\n';
}

}  // namespace

std::string float_text(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return base::shortest_decimal(value);
}

std::string numpy_array(const Tensor& tensor) { return array(tensor, numpy); }

std::string pytorch_tensor(const Tensor& tensor) { return array(tensor, torch); }

std::string identifier(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && result.empty()) result += '_';
    result += letter || digit ? c : '_';
  }
  return result.empty() ? "_" : result;
}

std::string to_numpy(std::string_view name, std::string_view comment, const Tensor& tensor) {
  return code(name, comment, tensor, numpy);
}

std::string to_pytorch(std::string_view name, std::string_view comment, const Tensor& tensor) {
  return code(name, comment, tensor, torch);
}

}  // namespace files
