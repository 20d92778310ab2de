//===- ApiCall.h - instructions that call the kernel API ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A handler template for the functions of hw/abi/KernelApi.h. It stores the position,
// reads the arguments from the operand slots in order and calls the function. Then it
// returns the status or stores the result.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_APICALL_H
#define TTJIT_INTERP_OPS_APICALL_H

#include "hw/abi/KernelThread.h"
#include "interp/Code.h"
#include "interp/FunctionCompiler.h"

#include <utility>

namespace ttjit::interp {

/// Sets the position that faults and events report.
inline void setPosition(const Instruction &inst, Frame &frame) { frame.thread.loc = inst.location; }

/// Reports a fault of the program at the instruction's position.
inline hw::Status programFault(const Instruction &inst, Frame &frame, int32_t fault,
                               const char *message = nullptr) {
  setPosition(inst, frame);
  return ttl_hw_program_fault(&frame.thread, fault, message);
}

namespace detail {

template <auto function, typename Signature> struct ApiCall;

template <auto function, typename Result, typename... Args>
struct ApiCall<function, Result (*)(hw::KernelThread *, Args...)> {
  template <size_t... indices>
  static hw::Status call(const Instruction &inst, Frame &frame, std::index_sequence<indices...>) {
    setPosition(inst, frame);
    if constexpr (std::is_same_v<Result, hw::Status>)
      return function(&frame.thread, inst.operand<Args>(frame, indices)...);
    else
      return inst.finish(frame, function(&frame.thread, inst.operand<Args>(frame, indices)...));
  }
  static hw::Status run(const Instruction &inst, Frame &frame) {
    static_assert(sizeof...(Args) <= Instruction::kMaxOperands);
    return call(inst, frame, std::index_sequence_for<Args...>{});
  }
};

} // namespace detail

/// The handler that calls `function`.
template <auto function>
inline constexpr Handler apiHandler = detail::ApiCall<function, decltype(function)>::run;

/// The rule for ops whose operands are the arguments of the function.
template <auto function> llvm::Error callApi(mlir::Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, apiHandler<function>);
  return llvm::Error::success();
}

/// The rule for ops that do nothing on the host.
inline llvm::Error doNothing(mlir::Operation *, FunctionCompiler &) {
  return llvm::Error::success();
}

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_APICALL_H
