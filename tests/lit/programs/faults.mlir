// A thread that crashes in machine code or in the interpreter ends with a fault at its
// position. The process survives and reports the fault.
// RUN: sed 's/KIND/segv/' %s >%t.segv.mlir
// RUN: not ttl-jit run %t.segv.mlir --engine=jit 2>&1 | FileCheck %s --check-prefixes=CHECK,SEGV
// RUN: not ttl-jit run %t.segv.mlir --engine=interp 2>&1 | FileCheck %s --check-prefixes=CHECK,SEGV
// RUN: sed 's/KIND/fpe/' %s >%t.fpe.mlir
// RUN: not ttl-jit run %t.fpe.mlir --engine=jit 2>&1 | FileCheck %s --check-prefixes=CHECK,FPE
// RUN: not ttl-jit run %t.fpe.mlir --engine=interp 2>&1 | FileCheck %s --check-prefixes=CHECK,FPE
// RUN: sed 's/KIND/stack_overflow/' %s >%t.stack.mlir
// RUN: not ttl-jit run %t.stack.mlir --engine=jit 2>&1 | FileCheck %s --check-prefixes=CHECK,STACK
// RUN: not ttl-jit run %t.stack.mlir --engine=interp 2>&1 | FileCheck %s --check-prefixes=CHECK,STACK
// SEGV: error: {{.*}}SIGSEGV
// FPE: error: {{.*}}SIGFPE
// STACK: error: {{.*}}stack
// CHECK: note: in thread worker of node (0, 0)

ttl.kernel @faulty() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "worker" {
    ttltest.fault "KIND"
  }
}

func.func @main() {
  ttl.launch @faulty()
  return
}
