// RUN: ttl-opt %s --ttl-lower-affine | FileCheck %s
// RUN: ttl-jit run %root/tests/corpus/affine.mlir
// RUN: ttl-jit run %root/tests/corpus/affine.mlir --stage=input

// CHECK-LABEL: ttl.kernel @loops
// CHECK-NOT: affine
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: arith.muli %[[I]]
// CHECK: scf.if
// CHECK: ttl.assert
ttl.kernel @loops() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "dm" {
    %true = arith.constant true
    affine.for %i = 0 to 8 step 2 {
      %j = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%i)
      affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%j) {
        ttl.assert %true, "odd"
      }
    }
  }
}
