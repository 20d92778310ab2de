//===- TTLInterfaces.td - interfaces of ttl ------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_INTERFACES_TD
#define TTJIT_IR_TTL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTL_SynchronizationInterface : OpInterface<"TTLSynchronizationInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = "An op at which a thread waits for another thread, or for the NoC.";
  let methods = [
    InterfaceMethod<"What is waited for; nothing where it is not one kind or not known here.",
                    "std::optional<::mlir::tt::ttl::BarrierType>", "getBarrierType">,
    InterfaceMethod<"True if everything of that kind that the thread started is waited for.",
                    "bool", "isGlobalBarrier", (ins), [{}], /*defaultImplementation=*/[{
      return false;
    }]>
  ];
}

#endif // TTJIT_IR_TTL_INTERFACES_TD
