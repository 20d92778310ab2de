// RUN: not ttl-jit run %s 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --trust

// A file may call functions of libraries only if the user trusts the file.
// CHECK: error: the file calls the host function 'getpagesize' of library 'libc.so.6', which this program did not give to it: to let it call functions of this host, run it with --trust
// CHECK-NEXT: at {{.*}}foreign-host-call.mlir:[[#@LINE+5]]:

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" {
    %n = arith.constant 0 : i32
    %r = ttl.call_host "getpagesize" in "libc.so.6" () : () -> i32
    %positive = arith.cmpi sgt, %r, %n : i32
    ttl.assert %positive, "a page has no bytes"
  }
}

func.func @main() {
  ttl.launch @k()
  return
}
