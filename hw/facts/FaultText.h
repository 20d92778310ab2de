//===- FaultText.h - faults that have a text ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_FAULTTEXT_H
#define TTJIT_HW_FACTS_FAULTTEXT_H

namespace ttjit::hw {

/// If the argument `kinds` of ttl_hw_text_fault begins with this character, the fault is a Protocol
/// fault, about buffers or pipes. The kinds of the numbers follow the character.
inline constexpr char kProtocolFault = 'P';

/// The same for a MeshAccess fault: a device copies elements that another device of the mesh holds.
inline constexpr char kMeshAccessFault = 'M';

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_FAULTTEXT_H
