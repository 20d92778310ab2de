// RUN: ttl-opt %s --ttl-canonicalize=arch=blackhole | FileCheck %s

// Values that the grid determines become constants, in the threads that ask for them, and so does
// the user's arithmetic on them.
// CHECK-LABEL: ttl.kernel @sizes
// CHECK-SAME: arch = "blackhole"
ttl.kernel @sizes() attributes {grid = #ttcore.grid<4x3>} {
  // CHECK: ttl.datamovement_thread "reader"
  ttl.datamovement_thread "reader" {
    // CHECK: %[[N:.+]] = arith.constant 25 : i32
    // CHECK-NOT: ttl.grid_size
    %n = ttl.grid_size {dims = 1} : index
    %ni = arith.index_cast %n : index to i32
    %two = arith.constant 2 : i32
    %one = arith.constant 1 : i32
    %twice = ttl.int_mul %ni, %two
    %more = ttl.int_add %twice, %one
    %ok = arith.cmpi slt, %more, %more : i32
    // A node's own coordinates are known only when it runs.
    // CHECK: ttl.core
    %x, %y = ttl.core : index, index
    %xi = arith.index_cast %x : index to i32
    // CHECK: ttl.int_add %{{.+}}, %[[N]]
    %sum = ttl.int_add %xi, %more
    %good = arith.cmpi sgt, %sum, %one : i32
    ttl.assert %good, "message"
  }
}

// A chip that the kernel names stays. On one node, the coordinates are known, too.
// CHECK-LABEL: ttl.kernel @one_node
// CHECK-SAME: arch = "wormhole_b0"
ttl.kernel @one_node() attributes {grid = #ttcore.grid<1x1x1>, arch = "wormhole_b0"} {
  ttl.datamovement_thread "reader" {
    // CHECK-NOT: ttl.core
    // CHECK: ttl.assert %false
    %x, %y, %z = ttl.core {dims = 3} : index, index, index
    %n = ttl.core_linear : index
    %zero = arith.constant 0 : index
    %good = arith.cmpi sgt, %n, %x : index
    ttl.assert %good, "message"
  }
}

// Arithmetic that overflows or divides by zero stays, because it faults when the kernel runs.
// CHECK-LABEL: ttl.kernel @faults
ttl.kernel @faults() attributes {grid = #ttcore.grid<1>} {
  ttl.datamovement_thread "reader" {
    %zero = arith.constant 0 : i32
    %large = arith.constant 2147483647 : i32
    %seven = arith.constant -7 : i32
    %two = arith.constant 2 : i32
    // CHECK-DAG: %[[Q:.+]] = arith.constant -4 : i32
    // CHECK-DAG: %[[R:.+]] = arith.constant 1 : i32
    // CHECK-DAG: %[[P:.+]] = arith.constant 49 : i32
    // CHECK: ttl.int_add
    %a = ttl.int_add %large, %large
    // CHECK: ttl.int_floordiv
    %b = ttl.int_floordiv %large, %zero
    // CHECK: ttl.int_mod
    %c = ttl.int_mod %large, %zero
    // CHECK: ttl.int_pow
    %d = ttl.int_pow %large, %two
    %q = ttl.int_floordiv %seven, %two
    %r = ttl.int_mod %seven, %two
    %p = ttl.int_pow %seven, %two
    // CHECK: arith.cmpi sgt, %{{.+}}, %[[Q]]
    %1 = arith.cmpi sgt, %a, %q : i32
    // CHECK: arith.cmpi sgt, %{{.+}}, %[[R]]
    %2 = arith.cmpi sgt, %b, %r : i32
    // CHECK: arith.cmpi sgt, %{{.+}}, %[[P]]
    %3 = arith.cmpi sgt, %c, %p : i32
    ttl.assert %1, "1"
    ttl.assert %2, "2"
    ttl.assert %3, "3"
  }
}

// A loop that may run for ever stays, although it has no other effect.
// CHECK-LABEL: func.func @endless
func.func @endless(%c: i1) {
  // CHECK: scf.while
  // CHECK: ttl.assert %{{.+}}, "the loop goes on"
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
