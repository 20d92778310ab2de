// Only the interpreter has the op ttltest.interp_only: its thread runs on the interpreter, with one
// warning that says why; other threads run machine code. --engine=jit refuses the program.
// RUN: ttl-jit run %s --stats 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not ttl-jit run %s --engine=jit 2>&1 | FileCheck %s --check-prefix=JIT
// RUN: ttl-jit run %s --engine=interp 2>&1 | count 0
// AUTO: warning: the interpreter runs a thread that the JIT cannot compile: thread odd of mixed: {{.*}}ttltest.interp_only
// AUTO-NOT: warning
// AUTO: engines: plain=jit odd=interp
// JIT: error: --engine=jit: the JIT cannot compile thread odd of mixed: {{.*}}ttltest.interp_only

ttl.kernel @mixed() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "plain" {
  }
  ttl.datamovement_thread "odd" {
    ttltest.interp_only
  }
}

func.func @main() {
  ttl.launch @mixed()
  return
}
