//===- NumberForms.h - tile operations with a number ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows of TileOps.def that do what a binary one does, with a number in place of one
// operand: one operation in place instead of a register filled with the number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_NUMBERFORMS_H
#define TTJIT_HW_FACTS_NUMBERFORMS_H

#include "hw/facts/TileOps.h"

namespace ttjit::hw {

/// `left` has the number as its left operand, `right` as its right one.
struct NumberForm {
  TileOp op, left, right;
};
inline constexpr NumberForm kNumberForms[] = {
    {TileOp::Add, TileOp::AddUnary, TileOp::AddUnary},
    {TileOp::Sub, TileOp::RsubUnary, TileOp::SubUnary},
    {TileOp::Mul, TileOp::MulUnary, TileOp::MulUnary},
    {TileOp::Max, TileOp::MaxUnary, TileOp::MaxUnary},
    {TileOp::Min, TileOp::MinUnary, TileOp::MinUnary},
    {TileOp::Eq, TileOp::EqUnary, TileOp::EqUnary},
    {TileOp::Ne, TileOp::NeUnary, TileOp::NeUnary},
    {TileOp::Lt, TileOp::GtUnary, TileOp::LtUnary},
    {TileOp::Le, TileOp::GeUnary, TileOp::LeUnary},
    {TileOp::Gt, TileOp::LtUnary, TileOp::GtUnary},
    {TileOp::Ge, TileOp::LeUnary, TileOp::GeUnary},
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_NUMBERFORMS_H
