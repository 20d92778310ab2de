// Division by zero, on one node only.
// status: fault

ttl.kernel @division() attributes {grid = #ttcore.grid<2x2>} {
  ttl.datamovement_thread "worker" {
    %x, %y = ttl.core : index, index
    %n = arith.index_cast %x : index to i32
    %c7 = arith.constant 7 : i32
    %q = ttl.int_floordiv %c7, %n
    %r = ttl.int_mod %c7, %n
    %same = arith.cmpi eq, %q, %c7 : i32
    ttl.assert %same, "unreachable on node 0"
  }
}

func.func @main() {
  ttl.launch @division()
  return
}
