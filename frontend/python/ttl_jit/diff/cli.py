# SPDX-License-Identifier: Apache-2.0
"""The command line of ttl-diff."""

import argparse
import os
import signal
import sys

import ttl_jit
from ttl_jit import campaign as campaigns

USAGE = """\
ttl-diff: run programs in several ways and report results that differ

  ttl-diff FILE...                   compare scripts (.py) and modules of ttir, ttnn or tosa (.mlir)
  ttl-diff --generate N [--seed S]   compare N random programs; with --meshes, for several chips
  ttl-diff --mutate N FILE...        compare N mutants of scripts
  ttl-diff replay FILE...            run files again that ttl-diff wrote
  ttl-diff reduce FILE               make the program of such a file smaller
  ttl-diff merge JSON...             add the results of several --json files

Each program runs in a process of its own: with each engine in each order, after stages of the
compiler (by the interpreter), and with each optimisation of the JIT switched off. All runs must give
the same bits, printed lines and errors. A program whose runs differ is made smaller and kept in
--found DIR, as a script that says how it was found. TASK and TASKS in the options --task=TASK/TASKS
take one part of the programs, for the jobs of a batch scheduler or of MPI; without it, their usual
variables count (SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK).

Exit status: 0 no difference; 1 a difference; 2 usage error."""


def _parser():
    parser = argparse.ArgumentParser(prog="ttl-diff", usage=argparse.SUPPRESS, description=USAGE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE")
    add("--generate", type=_count, default=0, metavar="N", help="compare N random programs")
    add("--mutate", type=_count, default=0, metavar="N", help="compare N mutants of the files")
    add("--seed", type=int, default=0, metavar="S", help="seed of the random programs (default 0)")
    add("--meshes", action="store_true", help="write random programs for several chips")
    add("--functions", default="", metavar="NAMES", help="write only these functions in random programs")
    add("--engines", default="interp,jit", metavar="NAMES", help="default: interp,jit")
    add("--stages", default="", metavar="NAMES",
        help="stages or passes to interpret, or all; a random program takes one in turn (default: all passes)")
    add("--schedules", default="fair,greedy,random:1,random:2,parallel(2)", metavar="NAMES",
        help="fair, greedy, parallel(N), random:SEED; default: fair,greedy,random:1,random:2,parallel(2)")
    add("--dma", default="eager,random", metavar="NAMES", help="default: eager,random")
    add("--switches", default=None, metavar="NAMES",
        help="optimisations that are switched off in turn (default: all)")
    add("--options", action="append", default=[], metavar="OPTIONS",
        help="compare with these options too, such as --options='--engine=jit --dst=schedule'")
    add("--numerics", default="host", choices=["host", "device"],
        help="the mode of all runs; with device, stages are those from loops on (default: host)")
    campaigns.add_options(parser)
    add("--task", default=None, metavar="TASK/TASKS", help="compare one part of the programs")
    add("--found", default="ttl-diff-found", metavar="DIR", help="default: ttl-diff-found")
    add("--most-found", type=_count, default=10, metavar="N", help="end after N differences (default 10)")
    add("--no-reduce", action="store_true", help="keep the programs as they are")
    add("--json", metavar="FILE", help="write the result as JSON")
    return parser


def _count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {value}")
    return value


def main(arguments=None):
    """Returns the exit status."""
    parser = _parser()
    options = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    ttl_jit.activate()
    commands = {"replay": _replay, "reduce": _reduce, "merge": _merge}
    try:
        if options.files and options.files[0] in commands:
            files = options.files[1:]
            if not files:
                parser.error(f"{options.files[0]} needs a file")
            return commands[options.files[0]](files, options)
        if not options.files and not options.generate:
            parser.error("needs files, or --generate N; --help lists the options")
        if options.meshes and not options.generate:
            parser.error("--meshes: needs --generate N, whose programs it is about")
        return _compare(options)
    except (ValueError, OSError) as error:
        parser.error(str(error))


# ===--------------------------------------------------------------------------=== #
# Comparing
# ===--------------------------------------------------------------------------=== #


def _compare(options):
    from ttl_jit.diff.campaign import Campaign

    variants, stages = _variants(options)
    # A batch scheduler ends a job with SIGTERM. A shell makes its background jobs ignore SIGINT.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    campaign = Campaign(_children(options), options.found, options.most_found, not options.no_reduce)
    jobs, total = _jobs(options, variants, stages, campaign.result.coverage)
    result = campaign.run(_part(jobs, options.task), total, _journal(options, variants, stages))
    if options.json:
        with open(options.json, "w") as stream:
            stream.write(result.to_json())
    print("\n".join(result.summary()))
    return 1 if result.found else 0


def _journal(options, variants, stages):
    """Returns the journal that --journal names: that of these programs under these variants."""
    if not options.journal:
        return None
    texts = [_text(file) for file in options.files]
    facts = [options.generate, options.mutate, options.seed, options.functions, texts,
             [str(each) for each in (*variants, *stages)], *(["meshes"] if options.meshes else [])]
    return campaigns.journal_of(options, facts)


def _children(options):
    import numpy  # noqa: F401  imported before the children are forked
    import ttl  # noqa: F401
    from ttl import ttnn  # noqa: F401
    from ttl_jit.diff.children import Children

    return Children(campaigns.place_of(options))


def _variants(options):
    """Returns the variants of all programs, and those of which a random program gets one."""
    import _ttjit
    from ttl_jit.diff import variants as known

    words = {name: [word for word in getattr(options, name).split(",") if word]
             for name in ("engines", "schedules", "dma")}
    switches = _switches(options.switches, known.SWITCHES)
    steps = _ttjit.pipeline_steps()
    if options.numerics == "device":
        steps = _from_loops(steps)
    chosen = _stages(options.stages, steps)
    # Random programs are interpreted after one pass each, in turn.
    turns = (chosen or [name for _, name in steps]) if options.generate else []
    fixed = [] if options.generate else chosen
    found = known.variants(**words, stages=fixed, switches=switches)
    found += [known.of(text) for text in options.options]
    if len(found) + bool(turns) < 2:
        raise ValueError("a comparison needs at least two ways to run a program")
    turning = known.variants([], turns, [], [], [])
    if options.numerics == "device":
        found, turning = ([each.with_option("numerics", "device") for each in some] for some in (found, turning))
    _check(found)
    return found, turning


def _from_loops(steps):
    """Returns the last pass of stage loops and those after it: they say which unit of the card computes."""
    last = max(n for n, (stage, _) in enumerate(steps) if stage == "loops")
    return steps[last:]


def _switches(text, known):
    """Returns the optimisations that --switches names."""
    chosen = list(known) if text is None else [name for name in text.split(",") if name]
    for name in chosen:
        if name not in known:
            raise ValueError(f"--switches: expected some of {', '.join(known)}; found '{name}'")
    return chosen


def _stages(text, steps):
    """Returns the names of the stages and passes that --stages names."""
    stages = list(dict.fromkeys(stage for stage, _ in steps))
    if text == "all":
        return stages
    chosen = [name for name in text.split(",") if name]
    for name in chosen:
        if name not in (*stages, *(name for _, name in steps)):
            raise ValueError(f"--stages: no stage is named '{name}'; expected {', '.join(stages)}, or a pass")
    return chosen


def _check(variants):
    import ttl

    for each in variants:
        try:
            with ttl.options(**each.keywords()):
                pass
        except (ValueError, TypeError) as error:
            raise ValueError(f"{each}: {error}") from None


def _jobs(options, variants, stages, coverage):
    """Returns the jobs and their number."""
    from ttl_jit.diff import campaign, mutations
    from ttl_jit.diff.children import Job

    if options.generate:
        names = [name for name in options.functions.split(",") if name]
        _check_functions(names)
        return campaign.generated(
            options.generate, options.seed, variants, stages, coverage, names, options.meshes), options.generate
    if options.mutate and any(file.endswith(".mlir") for file in options.files):
        raise ValueError("--mutate changes scripts only; found a .mlir file")
    texts = [_text(file) for file in options.files]
    if options.mutate:
        mutants = (mutations.mutant(texts[n % len(texts)], f"{options.seed} {n}")
                   for n in range(options.mutate))
        return (Job(n, text, variants) for n, text in enumerate(mutants)), options.mutate
    return (Job(n, text, variants) for n, text in enumerate(texts)), len(texts)


def _check_functions(names):
    from ttl_jit.diff.functions import FUNCTIONS

    for name in names:
        if name not in FUNCTIONS:
            raise ValueError(f"--functions: no function is named '{name}'; expected some of "
                             f"{', '.join(FUNCTIONS)}")


def _text(file):
    if file.endswith(".mlir"):
        from ttl_jit.diff import modules

        return modules.program(file)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))  # where its own modules are
    with open(file) as stream:
        text = stream.read()
    compile(text, file, "exec", dont_inherit=True)
    return text


def _part(jobs, task):
    """Returns the jobs of one task out of several."""
    number, count = _task(task)
    return (job for job in jobs if job.number % count == number)


def _task(text):
    if text is not None:
        number, _, count = text.partition("/")
        if not number.isdigit() or not count.isdigit() or int(number) >= int(count):
            raise ValueError(f"--task: expected TASK/TASKS with TASK below TASKS, found '{text}'")
        return int(number), int(count)
    for number, count in (("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"),
                          ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")):
        if number in os.environ and count in os.environ:
            return int(os.environ[number]) % int(os.environ[count]), int(os.environ[count])
    return 0, 1


# ===--------------------------------------------------------------------------=== #
# Files that ttl-diff wrote
# ===--------------------------------------------------------------------------=== #


def _replay(files, options):
    from ttl_jit.diff import found, variants
    from ttl_jit.diff.children import Job

    kept = [found.read(file) for file in files]
    jobs = [Job(number, each.program, [variants.of(text) for text in each.variants])
            for number, each in enumerate(kept)]
    differ = 0
    for job, report in _children(options).run(jobs):
        text = report["finding"]["text"] if report["finding"] else "no difference"
        differ += report["finding"] is not None
        print(f"{files[job.number]}: {text}")
    return 1 if differ else 0


def _reduce(files, options):
    from ttl_jit.diff import found, reduce

    for file in files:
        each = found.read(file)
        before = len(each.program.splitlines())
        reduce.reduce(each, _children(options))
        each.write(file)
        print(f"{file}: {before} lines before, {len(each.program.splitlines())} now")
    return 0


def _merge(files, options):
    from ttl_jit.diff.campaign import Result

    total = Result()
    for file in files:
        with open(file) as stream:
            total.add(Result.from_json(stream.read()))
    print("\n".join(total.summary()))
    if options.json:
        with open(options.json, "w") as stream:
            stream.write(total.to_json())
    return 1 if total.found else 0
