//===- OptionRows.cpp - a row for each option ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionParsers.h"
#include "tools/options/OptionTable.h"
#include "tools/options/OptionValues.h"

using namespace ttjit;
using namespace ttjit::options;

// A row for a switch of a group of Options, whose value is on or off.
#define CHOICE(group, member) parseChoice<&Options::group, &decltype(Options::group)::member>
#define VALUE(group, member) valueOf<&Options::group, &decltype(Options::group)::member>

static constexpr OptionScope kLaunch = OptionScope::changesLaunch();
static constexpr OptionScope kProcess = OptionScope::ofProcess();
static constexpr auto ir = OptionScope::changesIR, code = OptionScope::changesCode;
static constexpr OptionGiver kernel = OptionGiver::Kernel, host = OptionGiver::Host,
                             process = OptionGiver::Process;

static constexpr OptionSpec kOptions[] = {
    {"engine", "auto|jit|interp|emitted", parseEngine, code(valueOfEngine), kernel,
     "`auto` (default): the JIT runs the threads, and the interpreter those that the JIT cannot "
     "compile, with a warning; `jit`: such a thread is an error; `emitted`: the kernel as Metalium "
     "C++, compiled for this host. See [Metalium](metalium.md#running-the-emitted-code-on-the-"
     "host)"},
    {"grid", "COLUMNS,ROWS", parseGrid, ir(valueOfGrid), kernel,
     "the grid of kernels without a grid, or with grid `\"auto\"` or `\"full\"`"},
    {"mesh", "RxC|n300|t3k|galaxy|p300|p150x4|p150x8|bh_galaxy", parseMesh, kProcess, process,
     "the chips of the emulated machine, which `ttnn.open_mesh_device` opens: rows and columns, or "
     "the name of a machine, which also sets `--arch`. See [Several chips](mesh.md)"},
    {"fabric", "none|1d|neighbor|ring|2d|torus-x|torus-y|torus-xy", parseFabric, kProcess, process,
     "the connections between the chips, in place of those that `ttnn.set_fabric_config` names. "
     "See "
     "[Several chips](mesh.md#the-fabric)"},
    {"ccl", "kernels|host", parseCollectives, kLaunch, kernel,
     "what runs collectives, such as `ttnn.all_gather`: kernels that send between the chips "
     "(default), or functions of the host with the same results. See [Several "
     "chips](mesh.md#collectives)"},
    {"rank-output", "", parseRankOutput, kProcess, process,
     "under mpirun, show what every rank prints, each line after `rank N:`; by default, what rank "
     "0 "
     "prints. See [Several processes](mesh.md#several-processes)"},
    {"arch", "wormhole_b0|blackhole|NAME@COLSxROWS", parseArch, ir(valueOfArch), kernel,
     "the chip (default `wormhole_b0`); `@` changes the size of its compute grid, as in "
     "`wormhole_b0@32x32`"},
    {"numerics", "host|device", parseNumerics, ir(valueOfNumerics), kernel,
     "how numbers are rounded. `host` (default): as IEEE 754 does, and DST registers hold fp32; "
     "`device`: as the chip does. See [Device numerics](device-numerics.md)"},
    {"compute-config", "NAME=VALUE[,NAME=VALUE]", parseComputeConfig, ir(valueOfComputeConfig),
     kernel,
     "settings of the compute engine, in place of those that kernels give: `math_fidelity` "
     "(`LoFi`, "
     "`HiFi2`, `HiFi3`, `HiFi4`), `fp32_dest_acc_en`, `dst_full_sync_en`, `math_approx_mode` "
     "(`on`, "
     "`off`). See [Device numerics](device-numerics.md#what-decides-the-bits)"},
    {"explain-numerics", "on|off", CHOICE(launch, explainNumerics), kLaunch, kernel,
     "`on`: follow the errors of `--numerics=device` through each launch, which is slower, and say "
     "where they come from; `ttl-jit numerics` sets it. See [The "
     "explanation](device-numerics.md#the-explanation)"},
    {"numerics-files", "FILE.json|FILE.html|FILE.svg[,...]", parseNumericsFiles, kProcess, process,
     "write the explanation of `--explain-numerics` into these files, too; `.svg`: a picture of "
     "the errors of the last launch's first tensor"},
    {"schedule", "fair|greedy|random|parallel[(N)]|replay:FILE", parseSchedule, kLaunch, kernel,
     "which thread runs next: the one that waits longest, the one woken last, a random one "
     "(`--seed`), as `fair` but on N host threads (default: as many as the process may use), or as "
     "a file of `--record` says. Without this option: `fair`, on several host threads if this "
     "changes nothing but the time. See [Host threads](#host-threads)",
     "scheduler"},
    {"debug", "on|off", parseDebug, code(valueOfDebug), kernel,
     "`on`: the interpreter runs kernels statement by statement; `ttl-jit debug` sets it. See [The "
     "debugger](debugging.md#the-debugger)"},
    {"record", "FILE", parseRecord, kProcess, process,
     "write the order of threads and transfers to FILE, for `--schedule=replay:FILE`"},
    {"explore", "N[:FILE]", parseExplore, kProcess, process,
     "repeat each launch in N other orders of threads and transfers; the first order that gives "
     "another result is a fault, and FILE (default explore.replay) gets it, for "
     "`--schedule=replay:FILE`. See [Orders with other "
     "results](debugging.md#orders-with-other-results)"},
    {"dma", "late|eager|random|random(SEED)", parseDma, kLaunch, kernel,
     "when a transfer completes: when a thread waits for it (default), at once, or at a random "
     "time, of `--seed` or SEED (default with `--schedule=random`)"},
    {"seed", "N", parseSeed, kLaunch, kernel,
     "seed of random choices (default 0); the same seed gives the same run"},
    {"strict", "", parseStrict, ir(VALUE(passes, strict)), kernel,
     "report kernels that exceed the limits of the real chip as errors, not as warnings"},
    {"compile-only", "", parseCompileOnly, ir(VALUE(passes, compileOnly)), kernel,
     "compile kernels and do not run them. Mistakes that only a run would meet are warnings: a "
     "buffer that no thread fills, a block that is read or pushed before it is written, or "
     "overwritten before it is read"},
    {"dry-run", "", CHOICE(passes, dryRun), ir(VALUE(passes, dryRun)), kernel,
     "move data and check the protocol, but compute nothing: every block that a kernel computes is "
     "zero. See [dry runs](drop-in.md#dry-runs)"},
    {"trust", "", parseTrust, kProcess, process,
     "let `FILE.mlir` call functions of any library of this host; without it, such a call is a "
     "fault: a file from elsewhere runs no code of this host"},
    {"dump", "STAGE[,STAGE]|all", parseDump, code(VALUE(passes, dump)), kernel,
     "print the IR after a stage or pass, to standard error. Stages: `ttl`, `compute`, `sync`, "
     "`threads`, `buffers`, `dst`, `loops`, `ttkernel`, `llvm`, `asm`. Also: `input` (the "
     "frontend's IR), `schedule` (after `--schedule-file`), `l1` (the map of L1), `dst-assignment` "
     "(the values in each register), `config` (the compute configuration)"},
    {"dst", "CHOICE[,CHOICE]", parseDST, ir(valueOfDST), kernel,
     "other ways to assign DST registers: `schedule`, `lazy-loads`, `expire-at-use`, `fpu`, "
     "`pack-blocks`. See [Registers](#registers)"},
    {"tile-loops", "on|off", CHOICE(jit, tileLoops), code(VALUE(jit, tileLoops)), kernel,
     "`on` (default): the JIT computes the tiles of a DST section in one loop over their elements, "
     "and the products of a block at once; `off`: with one call per tile operation. Same bits"},
    {"block-transfers", "on|off", CHOICE(jit, blockTransfers), code(VALUE(jit, blockTransfers)),
     kernel,
     "`on` (default): the JIT moves the pages of a block with one call; `off`: with one call per "
     "page. Results, faults and statistics are the same"},
    {"host-cpu", "NAME", parseHostCPU, code(VALUE(jit, hostCPU)), host,
     "the CPU that the JIT compiles for, by LLVM's name, such as `x86-64-v2`; `native` (default): "
     "this host's. Same bits"},
    {"opt-level", "0|1|2|3", parseOptLevel, code(VALUE(jit, optLevel)), kernel,
     "how much LLVM optimises the JIT's code (default 1, which is enough for loops over tiles). "
     "Same bits"},
    {"gdb", "", parseGdb, code(VALUE(jit, gdb)), process,
     "let gdb stop at lines of the kernel and show its variables; the code is not optimised. See "
     "[gdb](debugging.md#gdb)"},
    {"perf-map", "", parsePerfMap, code(VALUE(jit, perfMap)), process,
     "write the names of the JIT's functions to `/tmp/perf-PID.map`, where Linux' profiler `perf` "
     "finds them. See [Profiles](performance.md#profiles)"},
    {"aliases", "on|off", parseAliases, kLaunch, kernel,
     "`on` (default): a read of pages of a tensor that the kernel does not write copies nothing "
     "until something needs the bytes in L1; `off`: it copies them. Nothing else differs"},
    {"kept-blocks", "on|off", parseKeptBlocks, kLaunch, kernel,
     "`off` (default): a push of a block that nobody wrote since it was reserved is a fault; `on`: "
     "the reader gets the block that was pushed from this place before, as on a card. See [Blocks "
     "that are used again](language/buffers.md#blocks-that-are-used-again)"},
    {"share-arrays", "on|off", CHOICE(launch, shareArrays), kLaunch, kernel,
     "`on` (default): kernels read and write the arrays of host tensors; `off`: each launch copies "
     "them to the device and back. Same bits"},
    {"stage", "STAGE|PASS", parseStage, ir(VALUE(passes, stage)), kernel,
     "stop the pipeline after this step and interpret the kernel. See [Running the kernel of any "
     "stage](#running-the-kernel-of-any-stage)",
     "stop-after"},
    {"start-from", "STAGE|PASS", parseStartFrom, ir(VALUE(passes, startFrom)), process,
     "`FILE.mlir` is the IR after this step; start the pipeline at the next one"},
    {"pass-plugin", "FILE.so", parsePassPlugin, ir(VALUE(passes, plugins)), process,
     "load passes of your own for `--insert-pass`"},
    {"insert-pass", "PASS@STEP", parseInsertPass, ir(valueOfInserted), kernel,
     "also run this pass, after that stage or pass of the pipeline"},
    {"bisect", "", parseBisect, kProcess, process,
     "find the first pass that changes a result, as `ttl-jit bisect` does"},
    {"compare", "engines|schedules[:N]", parseCompare, kProcess, process,
     "repeat each launch on both engines, with `schedules` also under `fair`, `greedy`, `parallel` "
     "and N (default 20) random schedules, and report a result that differs. See "
     "[Comparing](#comparing)"},
    {"emit", "DIR", parseEmit, code(VALUE(emit, folder)), process,
     "write each kernel as TT-Metalium C++ into DIR, with a script that runs it on a card. See "
     "[Metalium](metalium.md)"},
    {"emit-report", "text|json", parseEmitReport, kProcess, process,
     "print what the C++ of the kernels costs, as `ttl-jit emit-report` does. See "
     "[Cost](metalium.md#what-a-kernel-costs)"},
    {"metalium", "old|mid|new", parseMetalium, code(valueOfMetalium), kernel,
     "the generation of tt-metal's API for `--emit`: `old` (until late 2025), `mid` (default), "
     "`new` (from mid 2026 on)"},
    {"emit-path", "ttkernel|direct", parseEmitPath, code(valueOfEmitPath), kernel,
     "the IR of which `--emit` and `--engine=emitted` make C++: that of stage `ttkernel` "
     "(default), "
     "or that of stage `loops`. Same bits. See [The two paths](emit-paths.md)"},
    {"schedule-file", "FILE", parseScheduleFile, ir(valueOfScheduleFile), kernel,
     "apply this schedule, MLIR of the transform dialect, to each kernel. See "
     "[Schedules](scheduling.md)"},
    {"stats", "", parseStats, kProcess, process,
     "print for each kernel the engine of each thread, times, transfers, the bytes that they move "
     "from and to tensors, and those between cores; `--stats=FILE.json` writes them"},
    {"time", "", parseTime, ir(VALUE(passes, time)), kernel,
     "estimate how long each kernel takes on a card, what limits it, and what a change would gain; "
     "`--time=cycles` estimates the cycles only, `--time=json` prints JSON, `--time=FILE.json` "
     "writes it, `--time=FILE.csv` writes zones as a "
     "card's profiler does, `--time=against:FILE.csv` compares with such a file, `--time=noc:FILE` "
     "writes a NoC trace. See [The card's time](timing.md)"},
    {"what-if", "", parseWhatIf, kLaunch, kernel,
     "with `--time`, run each kernel again with other grids and blocks, and say how long it takes "
     "then; `--what-if=grid` and `--what-if=blocks` change one of them. See [Other grids and "
     "blocks](timing.md#other-grids-and-blocks)"},
    {"check",
     "NAME,...|all|off",
     parseCheck,
     kLaunch,
     kernel,
     "find mistakes while kernels run, which is slower: ",
     {},
     listOfChecks},
    {"trace", "FILE", parseTrace, kProcess, process,
     "write what every thread did and waited for to FILE, for `ttl-jit report` and Perfetto; "
     "compressed if its name ends in `.zst` or `.ttltrace`. See [Looking at a "
     "run](debugging.md#looking-at-a-run)"},
    {"trace-time", "logical|host|cycles", parseTraceTime, ir(valueOfTraceTime), process,
     "the times in a trace. `logical` (default): ticks that depend on the program only; `host`: "
     "nanoseconds of this host; `cycles`: cycles of the card, as `--time` estimates them"},
    {"cache", "DIR|off", parseCache, kProcess, host,
     "keep compiled code in this folder (default: `ttl-jit` in `$XDG_CACHE_HOME` or `~/.cache`), "
     "or keep none. See [Start-up](#start-up)"},
    {"max-dfbs", "N", parseMax<&PassOptions::maxBuffers>, ir(VALUE(passes, maxBuffers)), kernel,
     "warn about kernels with more than N buffers (default: as many as the chip has)"},
    {"max-l1", "BYTES", parseMax<&PassOptions::maxL1>, ir(VALUE(passes, maxL1)), kernel,
     "warn about kernels whose buffers take more bytes of L1 than this (default: what the chip "
     "has)"},
    {"limit", "N", parseLimit, kLaunch, kernel,
     "end a launch with a fault after N steps (loop iterations and device calls) of all its "
     "threads"},
};

OptionRows options::optionRows() { return kOptions; }
