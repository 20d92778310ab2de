//===- ReusedSlices.h - slices that get several blocks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A net whose receives end in slices of tensors has room for any number of transfers
// (SliceReceives.h), which is right if each slice gets one block. A net that certainly brings
// several blocks into one slice has room for one block instead, as other nets have: a second send
// waits until the first block is received. So the receiver may use a block before it receives the
// next one.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_REUSEDSLICES_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_REUSEDSLICES_H

namespace ttjit::frontend {

class Kernel;

/// Gives nets that use a slice again the room of other nets. Call it after all threads are walked.
void limitReusedSlices(Kernel &kernel);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_REUSEDSLICES_H
