# ===- _commands.py - the commands that begin with a colon --------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Each command is a method named do_NAME of Commands. The first line of its documentation is its
# usage, the second what it does, the third an example.
# ===--------------------------------------------------------------------------=== #

import difflib
import inspect
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import _ttjit
import numpy as np
import ttl
from ttl import _numerics, _time
from ttl_jit.repl import _calls, _views

_CODE = ("llvm", "asm")


class WrongCommand(Exception):
    """The user's mistake in a command, as text."""


def _of_option(name, usage, example):
    """Gives a command the documentation of the option that it shows or sets."""
    def document(command):
        values = dict(_ttjit.kernel_options())[name]
        command.__doc__ = f"{usage}\nShows or sets --{name} of the following calls: {values}.\n{example}"
        return command
    return document


class Commands:
    """The commands of one session."""

    def __init__(self, shell):
        self.shell = shell
        self.options = {}
        self.loaded = None  # the file that :reload runs again, and its arguments
        self.colored = False
        self.debugger = None  # from the first breakpoint on

    # ===--- Finding commands -------------------------------------------------=== #

    @classmethod
    def names(cls):
        return [name.removeprefix("do_") for name in vars(cls) if name.startswith("do_")]

    def is_complete(self, text):
        """Returns whether the text of a command is whole: that of :mlir ends with an empty line."""
        if text.split()[0] != ":mlir":
            return True
        return text.endswith("\n\n") or text.rstrip(" \t").endswith("\n.\n")

    def run(self, text):
        head, _, rest = text.partition("\n")
        try:
            name, *words = shlex.split(head[1:]) or [""]
        except ValueError as error:
            raise WrongCommand(f"{head}: {error}") from None
        command = self._find(name)
        if rest:
            words.append(rest)
        if name == "break":
            words = [head[1:].strip().removeprefix(name).strip()]  # a condition keeps its quotes
        try:
            inspect.signature(command).bind(*words)
        except TypeError:
            raise WrongCommand(f"usage: {_doc(command)[0]}") from None
        command(*words)

    def _find(self, name):
        command = getattr(self, f"do_{name}", None)
        if command is not None:
            return command
        if name in self._debugger_names():
            raise WrongCommand(f"no kernel is stopped: :break a line and call a kernel, then :{name}")
        similar = difflib.get_close_matches(name, self.names(), 1, 0.6)
        hint = f"did you mean :{similar[0]}?" if similar else ":help lists the commands"
        raise WrongCommand(f"there is no command :{name}; {hint}")

    def completions(self, text):
        """Returns what may stand at the end of a command's text."""
        name, *words = text[1:].split(" ")
        if not words:
            return [each for each in self.names() if each.startswith(name)]
        command = getattr(self, f"do_{name}", None)
        known = self._values(command, words[:-1]) if command else []
        return [each for each in known if each.startswith(words[-1])]

    def _values(self, command, before):
        """Returns the words that may follow the words `before` of a command, by its usage."""
        name, *places = _doc(command)[0].split()
        if len(before) >= len(places) and places[-1:] != ["[OPTIONS]"]:
            return []
        place = places[min(len(before), len(places) - 1)].strip("[]")
        if place == "VALUE":
            return _choices([name[1:], *before][-1])
        kinds = {
            "COMMAND": self.names, "OPTION": _options, "ENGINE": lambda: _choices("engine"), "STEP": _names_of_steps,
            "A": _names_of_runs, "B": _names_of_runs, "FILE": _files, "TENSOR": self._tensors,
            "LAYOUT": _ttjit.layout_options, "OPTIONS": _ttjit.layout_options,
        }
        return kinds[place]() if place in kinds else [each for each in place.split("|") if each.islower()]

    def _tensors(self):
        return [name for name, value in self.shell.namespace.items() if _ttjit.is_tensor(value)]

    # ===--- The session ------------------------------------------------------=== #

    def do_help(self, name=None):
        """:help [COMMAND]
        Lists the commands, or explains one.
        :help diff"""
        if name is not None:
            usage, text, example = _doc(self._find(name.removeprefix(":")))
            print(f"{usage}\n  {text}\n  example: {example}")
            return
        for each in self.names():
            usage, text, _ = _doc(getattr(self, f"do_{each}"))
            print(f"{usage:<26} {text}")

    def do_load(self, file, *arguments):
        """:load FILE [ARGUMENTS]
        Runs a Python script in this session, or an .mlir program.
        :load examples/eltwise_add.py"""
        self.loaded = (file, *arguments)
        if file.endswith(".mlir"):
            self._run_mlir(file)
        else:
            self.shell.run_file(file, arguments)

    def do_reload(self):
        """:reload
        Runs the file of the last :load or :watch again.
        :reload"""
        if self.loaded is None:
            raise WrongCommand("no file was loaded yet: :load FILE")
        self.do_load(*self.loaded)

    def do_watch(self, file):
        """:watch FILE
        Runs a file now and each time it is saved, until Ctrl-C.
        :watch kernel.py"""
        seen = None
        print(f"watching {file}; Ctrl-C ends this", flush=True)
        try:
            while True:
                state = _state(file)
                if state is not None and state != seen:
                    seen = state
                    self._try_load(file)
                time.sleep(0.1)
        except KeyboardInterrupt:
            print("no longer watching", flush=True)

    def _try_load(self, file):
        try:
            self.do_load(file)
            print(f"{file} ended", flush=True)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            print(_calls.fault_text(error), file=sys.stderr, flush=True)

    def do_mlir(self, text):
        """:mlir
        Runs the MLIR program in the following lines, which an empty line ends.
        :mlir"""
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text.removesuffix("\n.") + "\n")
            file.flush()
            self._run_mlir(file.name, self.shell.next_name())

    def _run_mlir(self, file, shown=None):
        """Runs an MLIR program. `shown` is the name that it has in what it prints."""
        options = [f"--{name}={value}" for name, value in self.options.items()]
        done = subprocess.run([_program(), "run", *options, file], capture_output=True, text=True,
                              check=False)
        output, errors = (each.replace(file, shown or file) for each in (done.stdout, done.stderr))
        print(output, end="")
        if done.returncode:
            raise WrongCommand(errors.rstrip("\n").removeprefix("error: "))
        print(errors, end="", file=sys.stderr)

    def do_save(self, file):
        """:save FILE
        Writes what was entered in this session to a file, for :replay.
        :save session.ttl"""
        with open(file, "w") as stream:
            stream.writelines(map(_saved, self.shell.entered[:-1]))

    def do_replay(self, file):
        """:replay FILE
        Runs the statements and commands of a file, as if they were entered.
        :replay session.ttl"""
        with open(file) as stream:
            lines = stream.readlines()
        if self.shell.run_lines(lines):
            raise WrongCommand(f"a statement of {file} failed")

    def do_quit(self):
        """:quit
        Ends the session.
        :quit"""
        raise SystemExit

    # ===--- Options ----------------------------------------------------------=== #

    @_of_option("engine", ":engine [VALUE]", ":engine interp")
    def do_engine(self, value=None):
        self._option("engine", value)

    @_of_option("arch", ":arch [VALUE]", ":arch blackhole")
    def do_arch(self, value=None):
        self._option("arch", value)

    @_of_option("grid", ":grid [VALUE]", ":grid 4,2")
    def do_grid(self, value=None):
        self._option("grid", value)

    @_of_option("schedule", ":schedule [VALUE [SEED]]", ":schedule random 3")
    def do_schedule(self, value=None, seed=None):
        self._option("schedule", value)
        if seed is not None:
            self._option("seed", seed)

    def do_option(self, name, value=None):
        """:option OPTION [VALUE]
        Shows or sets any option of kernels; docs/running.md explains them.
        :option dma random"""
        self._option(name, value)

    def _option(self, name, value):
        if name not in _options():
            raise WrongCommand(f"there is no option {name}{_similar(name, _options())}")
        if value is None:
            print(f"{name}: {self.options.get(name, 'as given to ttl-jit')}")
            return
        from ttl._ttnn import settings

        changed = {**self.options, name: value}
        try:
            settings.of(tuple(changed.items()))
        except ValueError as error:
            raise WrongCommand(str(error)) from None
        settings.block.set(tuple(changed.items()))
        self.options = changed

    # ===--- Running ----------------------------------------------------------=== #

    def do_kernels(self):
        """:kernels
        Lists the operations of this session and where they are.
        :kernels"""
        for name, operation in _calls.kernels_of(self.shell.namespace).items():
            code = operation.function.__code__
            shown = ", ".join(operation.signature.parameters)
            print(f"{name}({shown})  {code.co_filename}:{code.co_firstlineno}")

    def do_run(self, engine=None):
        """:run [ENGINE]
        Repeats the last call of a kernel on the same tensors.
        :run interp"""
        call = self.shell.calls.last
        with _block(engine=engine), self.shell.calls.quiet():
            call.repeat()

    def do_time(self, count="20"):
        """:time [COUNT]|card|what-if
        Measures the last call, and estimates its time on a card: all of it with `card`, other grids with `what-if`.
        :time 100"""
        if count in ("card", "what-if"):
            with ttl.options(**({} if count == "card" else {"what_if": True})):
                print(self._estimate(), end="")
            return
        if not count.isdigit() or count == "0":
            raise WrongCommand(f"the count must be a number of 1 or more, found {count}")
        kernel = self._kernel()
        call, found = self.shell.calls.last, []
        with self.shell.calls.quiet():
            for _ in range(int(count)):
                begin = time.perf_counter()
                call.repeat()
                found.append(time.perf_counter() - begin)
        steps = ", ".join(f"{name} {value:.2f}" for name, value in kernel.timings.items())
        print(f"compile: {sum(kernel.timings.values()):.2f} ms ({steps})")
        print(f"launch: {statistics.median(found) * 1e3:.3f} ms, median of {count}")
        estimate = self._estimate()
        print(f"on {estimate.figures['arch']}: {estimate.cycles:.0f} cycles = {estimate.us:.2f} us (between "
              f"{estimate.lower:.0f} and {estimate.upper:.0f} cycles); {estimate.advice}")

    def _estimate(self):
        """Runs the last call on its inputs once more. Returns how long it takes on a card."""
        call = self.shell.calls.last
        with self.shell.calls.quiet():
            return _time.of(call.on_inputs, "the call", call.operation, *call.inputs)

    def do_stats(self):
        """:stats
        Shows what the last launch did.
        :stats"""
        run = ttl.last_run()
        if run is None:
            raise _calls.NothingToShow("no kernel was launched yet")
        for name, value in run.stats.items():
            print(f"{name}: {value}")

    def do_numerics(self):
        """:numerics
        Runs the last call on its inputs in the card's arithmetic and says where its errors come from.
        :numerics"""
        with self.shell.calls.quiet():
            print(_numerics.explain(self.shell.calls.last.on_inputs), end="")

    def do_diff(self, first, second):
        """:diff A B
        Runs the last call twice on its inputs and compares bits: A and B are engines, schedules, stages or passes.
        :diff jit interp"""
        results = [self._result_of(each) for each in (first, second)]
        same = True
        for name, tensor in results[0].items():
            same &= _compare(name, tensor, results[1][name], (first, second))
        print("equal bits" if same else "different bits")

    def _result_of(self, name):
        call = self.shell.calls.last
        schedule = name.partition("(")[0]
        chosen = {"stage": name, "engine": "interp"}
        if name in _choices("engine"):
            chosen = {"engine": name}
        elif schedule in _choices("schedule"):
            chosen = {"schedule": name}
        elif name not in _names_of_steps():
            raise WrongCommand(f"{name} is no engine, schedule, stage or pass"
                               f"{_similar(name, _names_of_runs())}")
        with _block(**chosen), self.shell.calls.quiet():
            return call.on_inputs()

    # ===--- Debugging --------------------------------------------------------=== #

    def do_break(self, *place):
        """:break [PLACE]
        Stops the following calls before LINE or FILE:LINE, at op NAME or event NAME; lists the breakpoints.
        :break 12 node 0 1 if i == 3"""
        self._debug(" ".join(("break", *place)))

    def do_delete(self, number):
        """:delete NUMBER
        Removes a breakpoint; without breakpoints kernels run as before.
        :delete 1"""
        self._debug(f"delete {number}")

    def do_check(self, choice="on"):
        """:check [on|off]
        Looks for mistakes in the following calls: races, and blocks that nobody pops.
        :check on"""
        if choice not in ("on", "off"):
            raise WrongCommand(f"expected on or off, found {choice}")
        self._option("check", "all" if choice == "on" else "off")

    def _debug(self, command):
        from ttl_jit.debugger._session import Mistake

        terminal = self._debugger()
        try:
            terminal.commands.run(command)
        except Mistake as mistake:
            raise WrongCommand(str(mistake)) from None
        self._option("debug", "on" if terminal.session.breakpoints else "off")

    def _debugger(self):
        from ttl_jit.debugger._terminal import Terminal

        if self.debugger is None:
            self.debugger = Terminal(self._debugger_line)
            self.debugger.session.stops_at_start = False
            self.debugger.start()
        return self.debugger

    def _debugger_line(self):
        """The next line for a kernel that is stopped."""
        from ttl_jit.debugger._terminal import read_line

        if self.shell.rest is None:
            return read_line()
        if self.shell.rest[0] is None:
            return None
        return self.shell.rest.popleft()

    @staticmethod
    def _debugger_names():
        from ttl_jit.debugger._commands import Commands as OfDebugger

        return OfDebugger.names()

    # ===--- Looking ----------------------------------------------------------=== #

    def _kernel(self):
        with self.shell.calls.quiet():
            return self.shell.calls.last.kernel()

    def do_ir(self, step="ttkernel"):
        """:ir [STEP]
        Shows the last kernel's IR after a stage or pass; input is the frontend's.
        :ir dst"""
        if step in ("llvm", "asm", "l1"):
            raise WrongCommand(f"{step} is no step of the IR: use :{step}")
        if step not in _names_of_steps():
            similar = _similar(step, _names_of_steps())
            raise WrongCommand(f"there is no step {step}{similar or ':'} :passes lists the stages and "
                               "passes, and input is the frontend's IR")
        print(self._kernel().ir(step), end="")

    def do_passes(self):
        """:passes
        Lists the passes of the pipeline by stage.
        :passes"""
        for stage in dict.fromkeys(stage for stage, _ in _steps()):
            print(f"{stage}: {' '.join(name for each, name in _steps() if each == stage)}")

    def do_llvm(self):
        """:llvm
        Shows the LLVM IR of the last kernel.
        :llvm"""
        print(self._kernel().llvm, end="")

    def do_asm(self):
        """:asm
        Shows the assembly of the last kernel.
        :asm"""
        print(self._kernel().asm, end="")

    def do_cpp(self, thread=None):
        """:cpp [THREAD]
        Shows the last kernel, or one of its threads, as Metalium C++.
        :cpp reader"""
        print(self._kernel().cpp(thread), end="")

    def do_l1(self):
        """:l1
        Shows where the buffers of the last kernel are in L1.
        :l1"""
        print(self._kernel().l1, end="")

    def do_dst(self):
        """:dst
        Shows the values in each DST register of the last kernel.
        :dst"""
        print(self._kernel().dst, end="")

    def do_graph(self):
        """:graph
        Shows the threads of the last kernel and the buffers between them.
        :graph"""
        print(_views.graph(self._kernel()))

    def do_layout(self, *words):
        """:layout LAYOUT [OPTIONS]
        Shows how tt-mlir stores a tensor and where an element is; :layout --help lists the options.
        :layout 33x128 --at=5,100"""
        output, errors = _ttjit.show_layout(words, self.options.get("arch", ""))
        print(output, end="")
        if errors:
            raise WrongCommand(errors.removeprefix("ttl-jit layout: ").removeprefix("error: ").rstrip("\n"))

    def do_tile(self, tensor, row, column):
        """:tile TENSOR ROW COLUMN
        Shows a tile of a tensor as a heat map; ROW and COLUMN count tiles.
        :tile y 0 1"""
        value = self.shell.namespace.get(tensor, self._argument(tensor))
        if value is None:
            raise WrongCommand(f"there is no tensor {tensor}")
        if not (row.isdigit() and column.isdigit()):
            raise WrongCommand(f"ROW and COLUMN must be numbers, found {row} {column}")
        array = np.asarray(value, dtype=np.float64)
        array = array.reshape(-1, array.shape[-1] if array.ndim else 1)
        size = _views.TILE
        top, left = int(row) * size, int(column) * size
        part = array[top : top + size, left : left + size]
        if not part.size:
            raise WrongCommand(f"{tensor} has {-(-array.shape[0] // size)}x{-(-array.shape[1] // size)} "
                               f"tiles, so there is no tile {row} {column}")
        print(_views.heat_map(part, self.colored))

    def _argument(self, name):
        try:
            call = self.shell.calls.last
        except _calls.NothingToShow:
            return None
        return call.operation.signature.bind(*call.args, **call.kwargs).arguments.get(name)


def _doc(command):
    """Returns the usage, the explanation and the example of a command."""
    return [line.strip() for line in command.__doc__.splitlines()[:3]]


def _saved(text):
    """Returns what was entered as lines of a file: an empty line ends a program in MLIR."""
    text = text.rstrip("\n") + "\n"
    return text + "\n" if text.lstrip().startswith(":mlir") else text


def _options():
    return [name for name, _ in _ttjit.kernel_options()]


def _choices(option):
    """Returns the words that the value of an option may be."""
    return _ttjit.option_values(option)


def _steps():
    return _ttjit.pipeline_steps()


def _names_of_steps():
    return ["input", *dict.fromkeys(step for pair in _steps() for step in pair)]


def _names_of_runs():
    """Returns what :diff compares."""
    return [*_choices("engine"), *_choices("schedule"), *_names_of_steps()]


def _files():
    return sorted(each for each in os.listdir(".") if not each.startswith("."))


def _similar(name, known):
    similar = difflib.get_close_matches(name, known, 1, 0.6)
    return f"; did you mean {similar[0]}?" if similar else ""


def _program():
    """Returns the path of ttl-jit: this process, or the one that a shell finds."""
    own = os.path.realpath("/proc/self/exe")
    found = own if os.path.basename(own) == "ttl-jit" else shutil.which("ttl-jit")
    if found is None:
        raise WrongCommand("MLIR programs need the program ttl-jit, which is not on PATH")
    return found


def _state(file):
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _block(**chosen):
    try:
        return ttl.options(**{name: value for name, value in chosen.items() if value is not None})
    except ValueError as error:
        raise WrongCommand(str(error).removeprefix("ttl.options(): ")) from None


def _compare(name, first, second, names):
    """Prints how two results differ; returns whether they have the same bits."""
    a, b = (np.asarray(each) for each in (first, second))
    if a.tobytes() == b.tobytes():
        return True
    different = np.argwhere((a != b) & ~((a != a) & (b != b)))
    if not len(different):
        print(f"{name}: NaNs or zeros differ in their bits")
        return False
    place = tuple(int(index) for index in different[0])
    print(f"{name}: {len(different)} of {a.size} elements differ; the first is {list(place)}: "
          f"{a[place]} with {names[0]}, {b[place]} with {names[1]}")
    return False
