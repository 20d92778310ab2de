//===- TTLElementwiseOps.h - ops of the rows of hw/facts/TileOps.def -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One op on blocks and one on tiles for each row. Include this only to name one of
// them; ttcore::TileOpInterface gives the row of any.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_ELEMENTWISEOPS_H
#define TTJIT_IR_TTL_ELEMENTWISEOPS_H

#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

#define GET_OP_CLASSES
#include "ir/TTL/TTLElementwiseBlockOps.h.inc"
#define GET_OP_CLASSES
#include "ir/TTL/TTLElementwiseTileOps.h.inc"

#endif // TTJIT_IR_TTL_ELEMENTWISEOPS_H
