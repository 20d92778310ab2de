# ===- _ttl_run.py - runs scripts and tools for ttl-jit -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# ttl-jit calls a function of this file with `packages`, the folder of the packages ttl and ttnn. A
# script runs as __main__. Exit statuses: 1 the script failed, 3 a compile-time error, 4 a fault
# while a kernel ran, 130 Ctrl-C. SystemExit gives the same status as in python3.
# ===--------------------------------------------------------------------------=== #

import errno
import importlib
import importlib.util
import linecache
import os
import signal
import sys
import traceback
import types

import _ttl_dropin

COMPILE_ERROR, RUNTIME_FAULT, INTERRUPTED = 3, 4, 128 + signal.SIGINT


def run(packages, file, quits=lambda: False):
    """Runs the file and returns the exit status. quits() returns whether the user told the debugger to quit."""
    def work():
        return _with_statistics(_run(packages, file, quits))

    return _on_ranks(packages, work)


def _num_processes():
    """Returns the number of processes that mpirun has started."""
    return int(os.environ.get("OMPI_COMM_WORLD_SIZE") or 1)


def _on_ranks(packages, work):
    """Calls work() and returns the exit status. If mpirun has started several processes, they run as ranks
    and return one status."""
    if _num_processes() == 1:
        return work()
    _ttl_dropin.install(packages)
    from _ttl_dropin import _ranks

    return _ranks.run(_ranks.join(), work)


def _print_backend():
    """Prints which functions of ttnn ran as kernels, if --stats is given."""
    backend = sys.modules.get("ttnn.backend") or sys.modules.get("ttl.ttnn.backend")
    text = backend.statistics() if backend and "TTL_STATS" in os.environ else ""
    if text:
        print(text, file=sys.stderr)


def _with_statistics(status):
    _print_backend()
    extension = sys.modules.get("_ttjit")
    is_written = extension is None or extension.write_statistics()
    return status if is_written else status or RUNTIME_FAULT


def _run(packages, file, quits):
    folder = os.path.dirname(os.path.abspath(file))
    _ttl_dropin.install(packages).folder = folder
    sys.path.insert(0, folder)
    main = types.ModuleType("__main__")
    main.__file__ = file
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main

    def script():
        with open(file, "rb") as stream:
            source = stream.read()
        code = compile(source, file, "exec", dont_inherit=True)
        _remember_lines(file, source)
        exec(code, main.__dict__)
        return 0

    return _status_of(script, file, quits)


def _status_of(work, file, quits):
    """Calls work(), which returns the exit status. Returns this status, or the one for an exception."""
    if os.environ.get("TTL_EMIT_REPORT") == "json":  # only the JSON goes to standard output
        sys.stdout = sys.stderr
    try:
        return _compared_status(file, work())
    except SystemExit as error:
        return _compared_status(file, _exit_status(error.code))
    except KeyboardInterrupt as error:
        if not _has_own_hook(error):
            print(*getattr(error, "__notes__", ["interrupted"]), sep="\n", file=sys.stderr)
        return INTERRUPTED
    except BaseException as error:
        return 0 if quits() else _compared_status(file, _failed(error))
    finally:
        _flush()


def model(packages, file, quits=lambda: False):
    """Runs functions of an MLIR module of the dialects ttir, ttnn or tosa and returns the exit status.
    sys.argv has the options that name the files of its tensors."""
    _ttl_dropin.install(packages)

    def work():
        from ttl import _model_command

        try:
            status = _model_command.main(file, sys.argv[1:])
            sys.stdout.flush()
            return status
        except BrokenPipeError:  # the reader ended: `ttl-jit run model.mlir | head`
            _drop_output()
            return 128 + signal.SIGPIPE
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            _drop_output()
            print("ttl-jit: cannot write to standard output", file=sys.stderr)
            return 1

    return _on_ranks(packages, lambda: _with_statistics(_status_of(work, file, quits)))


def debug(packages, file, function=run):
    """Runs the file under the debugger and returns the exit status."""
    from ttl_jit.debugger._terminal import Terminal

    terminal = Terminal()
    terminal.start()
    return function(packages, file, lambda: terminal.session.wants_quit)


def debug_model(packages, file):
    """Runs an MLIR module under the debugger and returns the exit status."""
    return debug(packages, file, model)


def dap(packages):
    """Serves an editor's debugger and returns the exit status."""
    from ttl_jit.debugger import _dap

    def start(file, quits):
        return (model if file.endswith(".mlir") else run)(packages, file, quits)

    return _dap.main(sys.argv[1:], start)


def interact(packages):
    """Runs the interactive session and returns the exit status."""
    _ttl_dropin.install(packages)
    sys.path.insert(0, "")
    try:
        from ttl_jit import repl

        return repl.run()
    finally:
        _flush()


def tune(packages, file):
    """Searches the fastest parameters of a script, as sys.argv says, and returns the exit status."""
    return _command(packages, file, "ttl_jit.tune.command")


def explore(packages, file):
    """Runs a script in many orders of its threads, as sys.argv says, and returns the exit status."""
    return _command(packages, file, "ttl_jit.explore.command")


def compare_times(packages, file):
    """Compares the times of two programs, as sys.argv says, and returns the exit status."""
    return _command(packages, file, "ttl_jit.report.times")


def _command(packages, file, module):
    _ttl_dropin.install(packages)
    try:
        return importlib.import_module(module).main([file, *sys.argv[1:]])
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        _flush()


def report(packages):
    """Runs `ttl-jit report` with the arguments of sys.argv and returns the exit status."""
    try:
        from ttl_jit.report import command

        return command.main(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _flush()


def _delivers_estimates(extension):
    """Writes the estimates of --time after the output of the script. Returns whether that was possible."""
    what_if = sys.modules.get("ttl_jit.tune._what_if")
    if what_if:
        try:
            what_if.add_last()
        except KeyboardInterrupt:
            print("interrupted: not all changes of --what-if were tried", file=sys.stderr)
    _flush()
    return extension.deliver_estimates()


def _extension():
    """Returns the extension if the script has loaded it, or if an option asks for a report, which then says
    that no kernel was launched."""
    if any(name in os.environ for name in ("TTL_BISECT", "TTL_EMIT_REPORT", "TTL_EXPLAIN_NUMERICS", "TTL_TIME")):
        import ttl  # noqa: F401
    return sys.modules.get("_ttjit")


def _compared_status(file, status):
    """Prints what checks and reports have found. Returns the status of the script, or 1 if bisect or --compare
    found a difference, or RUNTIME_FAULT if a report could not be written."""
    if status == COMPILE_ERROR:
        return status
    extension = _extension()
    for difference in extension.take_differences() if extension else ():
        print(f"compare: {difference}", end="", file=sys.stderr)
        status = 1
    for line in extension.take_explorations() if extension else ():
        print(f"explore: {line}", end="", file=sys.stderr)
    if extension:
        note = "" if status else extension.no_launch_note()
        print(extension.check_summary() + note, end="", file=sys.stderr)
        emitted = extension.emit_report()
        if emitted:  # printing an empty text could fail, too, on a full disk
            print(emitted, end="", file=sys.__stdout__)
    if extension and not extension.deliver_explanations():
        status = status or RUNTIME_FAULT
    if extension and not _delivers_estimates(extension):
        status = status or RUNTIME_FAULT
    report = extension.bisect_report(file) if extension else None
    if report is None:
        return status
    kept, text = report
    print(text, end="")
    return status if kept else 1


def _exit_status(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _failed(error):
    import ttl
    from ttl._errors import Located

    _flush()
    is_located = isinstance(error, Located)
    if not _has_own_hook(error):
        if is_located:
            print(error.render("error").rstrip("\n"), file=sys.stderr)
        else:
            traceback.print_exception(error)
    if not is_located:
        return 1
    # Compile errors are COMPILE_ERROR, and so are ttl's warnings that a filter turned into errors.
    return RUNTIME_FAULT if isinstance(error, ttl.RuntimeFault) else COMPILE_ERROR


def _has_own_hook(error):
    """Passes the exception to sys.excepthook if the script has set one. Returns whether that handled it."""
    _forget_frames_of_ours(error)
    hook = getattr(sys, "excepthook", None)
    if hook is sys.__excepthook__ or not callable(hook):
        return False
    try:
        hook(type(error), error, error.__traceback__)
    except BaseException as failure:
        _forget_frames_of_ours(failure)
        print("Error in sys.excepthook:", file=sys.stderr)
        traceback.print_exception(failure)
        print("\nOriginal exception was:", file=sys.stderr)
        return False
    return True


def _remember_lines(file, source):
    """Keeps the source lines, so that messages show them even if the file is edited later."""
    try:
        text = importlib.util.decode_source(source)
    except (UnicodeDecodeError, SyntaxError):
        return
    linecache.cache[file] = (len(source), None, text.splitlines(keepends=True), file)


def _forget_frames_of_ours(error):
    """Removes the frames of this file from the beginning of the traceback."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    error.__traceback__ = frames


def _drop_output():
    """Discards what is still to be written to standard output, also when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # the stream is None or closed
