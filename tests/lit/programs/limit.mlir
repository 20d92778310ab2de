// An endless loop is ended by --limit, on both engines.
// RUN: not ttl-jit run %s --engine=jit --limit=100000 2>&1 | FileCheck %s
// RUN: not ttl-jit run %s --engine=interp --limit=100000 2>&1 | FileCheck %s
// CHECK: error: {{.*}}limit

ttl.kernel @endless() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "worker" {
    scf.while : () -> () {
      %true = arith.constant true
      scf.condition(%true)
    } do {
      scf.yield
    }
  }
}

func.func @main() {
  ttl.launch @endless()
  return
}
