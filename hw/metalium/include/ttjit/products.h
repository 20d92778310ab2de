//===- products.h - products of tiles and blocks --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that emitted code does not call. The generation "new" of tt-metal renames some of them:
// this file has both names.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

inline void matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0) {
  ttjit::metalium::refuseTransposed(transpose);
  mm_init_short(in0, in1);
}
inline void mm_init_short_with_dt(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t = 2,
                                  uint32_t transpose = 0) {
  reconfig_data_format_srca(in1);
  matmul_init(in0, in1, transpose);
}
inline void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                         uint32_t transpose) {
  ttjit::metalium::refuseTransposed(transpose);
  matmul_tiles(in0, in1, tile0, tile1, dst);
}
namespace ttjit::metalium {
/// Returns the variant for blocks of these sizes. It is 0, a product of tiles, if all are 1.
inline int32_t blockVariant(uint32_t ct, uint32_t rt, uint32_t kt) {
  failIf(ct == 0 || rt == 0 || kt == 0, "a product of blocks has a dimension of 0 tiles");
  return static_cast<int32_t>(((ct - 1) & 0xff) | ((rt - 1) & 0xff) << 8 | ((kt - 1) & 0xff) << 16);
}
} // namespace ttjit::metalium

inline void matmul_block_init(uint32_t, uint32_t, uint32_t transpose = 0, uint32_t ct = 1,
                              uint32_t rt = 1, uint32_t kt = 1) {
  using namespace ttjit::metalium;
  refuseTransposed(transpose);
  initialise(UnitOp::Matmul, blockVariant(ct, rt, kt));
}
inline void mm_block_init_short(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t transpose = 0,
                                uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
inline void mm_block_init_short_with_dt(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t = 2,
                                        uint32_t transpose = 0, uint32_t ct = 1, uint32_t rt = 1,
                                        uint32_t kt = 1) {
  reconfig_data_format_srca(in1);
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
inline void mm_block_init_short_with_both_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t,
                                             uint32_t transpose = 0, uint32_t ct = 1,
                                             uint32_t rt = 1, uint32_t kt = 1) {
  reconfig_data_format(in1, in0);
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
inline void mm_block_init(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t out = 16,
                          uint32_t transpose = 0, uint32_t ct = 1, uint32_t rt = 1,
                          uint32_t kt = 1) {
  ttjit::metalium::start("mm_block_init", in1, in0, out);
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
/// One step of k: row r of A is tile tile0 + r * kt, column c of B is tile tile1 + c.
inline void matmul_block(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                         uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t kt) {
  using namespace ttjit::metalium;
  refuseTransposed(transpose);
  use(UnitOp::Matmul, blockVariant(ct, rt, kt), in1, in0);
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c)
      productOfTiles(in0, in1, tile0 + r * kt, tile1 + c, dst + r * ct + c);
}
