// How each operation is written in Python: one entry for each, from which the line of a row and the
// function that it calls, if any, are made.
#pragma once

#include <span>
#include <string_view>

namespace code {

enum class Library : unsigned char { numpy, pytorch };

/// In `call`, braces stand for what the row is made of:
///   {0} {1} {2}     the names of its operands; {*}: all of them, with commas
///   {~0} {~1} {~2}  an operand with axes of length 1 where the result's letters lack in it
///   {+2}            " + " and the third operand, if there is one
///   {spread}        the first operand with the axes and the shape of the result
///   {shape}         the result's shape: B, Lq, H, D
///   {letters}       the einsum of the operands, two at most: "bihd,bjhd->bhij"
///   {misread}       an einsum that reads the last two axes of its second operand as if swapped
///   {misread_result}  an einsum whose result is read like that
///   {xp}            the library: np or torch
///   {divisor} {softcap}  constants
///   {rope}          the base of rotary positions and what else differs from the usual
///   {eps}           ", eps=1e-05" where a norm's is not 1e-6
///   {biases}        how differences of places are numbered
struct Writing {
  std::string_view operation;  ///< its name, ops::Operation::name
  std::string_view call;
  std::string_view helper = {};  ///< name of the function that it calls
};

/// A function in both libraries.
struct Helper {
  std::string_view name;
  std::string_view numpy;
  std::string_view pytorch;
  std::string_view needs = {};  ///< other helpers that it calls, with spaces between them
};

std::span<const Writing> writings();
std::span<const Helper> helpers();

}  // namespace code
