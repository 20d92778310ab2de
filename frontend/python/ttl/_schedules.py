# ===- _schedules.py - schedules of the transform dialect ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A Schedule is a list of steps. Each step has the ops of the transform dialect that perform it. Their
# position is that of the call that added the step, so that errors of the compiler name this line.
# ===--------------------------------------------------------------------------=== #

import atexit
import functools
import hashlib
import os
import shutil
import sys
import tempfile

from ttl import _errors, _location, _options, _source, _time

_ANY = "!transform.any_op"
_COMPUTE, _COPY, _BUFFER = "ttl.compute", "ttl.copy", "ttl.create_cb"
# What MLIR says when a step of a schedule finds nothing to work on.
_FOUND_NOTHING = ("expected parameter to be", "could not find a parent op")


class _Step:
    """A step: the text of the call that added it, the lines of its ops, the position of the call, what the
    step works on, as text for messages, and the number of loops that it makes."""

    def __init__(self, text, lines, place, target, loops=0):
        self.text, self.lines, self.place, self.target, self.loops = text, lines, place, target, loops

    def location(self):
        file, line, column = self.place
        return _location.Location(file, line, column, line, column + 1)


def _step(method):
    """Decorates a method that returns the lines of a step, what the step works on and how many loops it
    makes. The decorated method returns the schedule with this step added."""
    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        lines, target, loops = method(self, *args, **kwargs)
        words = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
        step = _Step(f"{method.__name__}({', '.join(words)})", lines, _position(sys._getframe(1)), target, loops)
        return Schedule(self.operation, (*self.steps, step))

    return wrapper


def _position(frame):
    """Returns the file, line and column (from 1) of the call that a frame executes."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return frame.f_code.co_filename, frame.f_lineno, (positions[2] or 0) + 1


class Schedule(_time.Timed):
    """How a kernel arranges loops, transfers, buffers and registers: kernel.schedule() makes one.

    Each method returns a longer schedule; a schedule itself does not change. Calling it calls the
    operation with this schedule, and time() returns how long that takes on a card. text is the
    schedule in the transform dialect, and write(path) makes a file for --schedule-file. A schedule
    is a value of the parameter "schedule_file" of ttl.tune().

    A method raises a ValueError for a wrong argument. The call raises a ttl.CompileError for a
    step that cannot be done, at the line of the step or with a note of it.

    Example:

        whole = scale.schedule().buffers(max_factor=2)
        whole(x, y, 2.0)
        print(whole.time(x, y, 2.0).cycles)
        ttl.tune(scale, (x, y, 2.0), {"schedule_file": [None, whole]})
    """

    def __init__(self, operation, steps=()):
        self.operation, self.steps = operation, steps

    # ===----------------------------------------------------------------------=== #
    # Steps
    # ===----------------------------------------------------------------------=== #

    @_step
    def tile(self, *sizes):
        """Computes blocks in tiles of these sizes, in a loop for each size. 0 leaves a dimension whole. The
        sizes must divide the extents."""
        if not sizes or not any(sizes):
            raise ValueError("tile() needs the sizes of tiles along each dimension, such as tile(1, 2)")
        for size in sizes:
            _whole(size, 0, "tile()", "a size")
        loops = sum(1 for size in sizes if size)
        return [*self._matched(_COMPUTE), f"%n_tiles, %n_loops:{loops} = transform.structured.tile_using_for %n_ops "
                f"tile_sizes [{', '.join(map(str, sizes))}] : ({_ANY}) -> ({', '.join([_ANY] * (loops + 1))})"], \
            "computation of blocks", loops

    @_step
    def fuse(self):
        """Makes one loop of the loops of the tile() before it."""
        last = self.steps[-1] if self.steps else None
        if last is None or last.loops < 2:
            raise ValueError("fuse() makes one loop of the loops of tile(): call tile() with two or more sizes that "
                             f"are not 0 before it; found {last.text if last else 'nothing'} before it")
        return [f"%n_loops:1 = transform.loop.coalesce %p_loops#0 : ({_ANY}) -> ({_ANY})"], "loops", 1

    @_step
    def unroll(self, factor):
        """Repeats the body of the innermost loop of the tile() or fuse() before it `factor` times."""
        last = self.steps[-1] if self.steps else None
        if last is None or not last.loops:
            raise ValueError("unroll() works on the loop of tile() or fuse(): call one of them before it; found "
                             f"{last.text if last else 'nothing'} before it")
        return [f"transform.loop.unroll %p_loops#{last.loops - 1} "
                f"{{factor = {_whole(factor, 1, 'unroll()', 'factor')}}} : {_ANY}"], "loops", 0

    @_step
    def split(self, dimension, size, divisor=1):
        """Computes blocks in tiles of two sizes, about `size` and multiples of `divisor`, that cover the
        dimension."""
        facts = [f"dimension = {_whole(dimension, 0, 'split()', 'dimension')}",
                 f"target_size = {_whole(size, 1, 'split()', 'size')}",
                 f"divisor = {_whole(divisor, 1, 'split()', 'divisor')}"]
        return [*self._matched(_COMPUTE), f"%n_low, %n_high = transform.ttl.multisize_split %n_ops "
                f"{{{', '.join(facts)}}} : ({_ANY}) -> ({_ANY}, {_ANY})"], "computation of blocks", 0

    @_step
    def prefetch(self, thread, distance=2, form="groups"):
        """Starts the reads of a loop of a data movement thread `distance` iterations ahead. `form` is
        "groups" or "pipeline"."""
        facts = (f"{{distance = {_whole(distance, 1, 'prefetch()', 'distance')}, "
                 f"form = \"{_word(form, ('groups', 'pipeline'), 'prefetch()', 'form')}\"}}")
        return [*self._matched(_COPY, thread),
                f"%n_loop = transform.get_parent_op %n_ops {{deduplicate, op_name = \"scf.for\"}} : ({_ANY}) -> {_ANY}",
                f"%n_ahead, %n_rest = transform.ttl.insert_prefetch %n_loop {facts} : ({_ANY}) -> ({_ANY}, {_ANY})"], \
            f"copy in a loop of thread '{thread}'", 0

    @_step
    def pipeline(self, thread, strategy="auto"):
        """Starts the copies of a data movement thread early and waits late. `strategy` is "auto", "aggressive"
        or "conservative"."""
        word = _word(strategy, ("auto", "aggressive", "conservative"), "pipeline()", "strategy")
        return self._whole_thread("schedule_pipeline", thread, f' {{strategy = "{word}"}}')

    @_step
    def reorder(self, thread):
        """Sorts the copies that a thread starts together by tensor and position."""
        return self._whole_thread("reorder_for_locality", thread)

    @_step
    def buffers(self, max_factor=4):
        """Gives each buffer as many blocks as its threads hold together, up to max_factor, if they fit."""
        return [*self._matched(_BUFFER), "%n_new = transform.ttl.optimize_buffer_factor %n_ops {max_factor = "
                f"{_whole(max_factor, 1, 'buffers()', 'max_factor')}}} : ({_ANY}) -> {_ANY}"], "buffer", 0

    @_step
    def registers(self, order="auto"):
        """Chooses when operands are loaded into registers: "arguments" (first), "lazy", or "auto"."""
        word = _word(order, ("auto", "arguments", "lazy"), "registers()", "order")
        return [*self._matched(_COMPUTE), f"%n_new = transform.ttl.allocate_dst_registers %n_ops "
                f"{{order = \"{word}\"}} : ({_ANY}) -> {_ANY}"], "computation of blocks", 0

    # ===----------------------------------------------------------------------=== #
    # Use
    # ===----------------------------------------------------------------------=== #

    @property
    def text(self):
        """The schedule in the transform dialect."""
        lines = ["module attributes {transform.with_named_sequence} {",
                 f"  transform.named_sequence @__transform_main(%module: {_ANY} {{transform.readonly}}) {{"]
        for number, step in enumerate(self.steps):
            file, line, column = step.place
            place = f' loc("{_quoted(file)}":{line}:{column})'
            lines += [f"    {each.replace('%n_', f'%s{number}_').replace('%p_', f'%s{number - 1}_')}{place}"
                      for each in step.lines]
        return "\n".join([*lines, "    transform.yield", "  }", "}", ""])

    def write(self, path):
        """Writes the schedule into a file for --schedule-file."""
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(self.text)

    def __fspath__(self):
        path = os.path.join(_folder(), hashlib.sha256(self.text.encode()).hexdigest()[:16] + ".mlir")
        if not os.path.exists(path):
            self.write(path)
        return path

    def __call__(self, *args, **kwargs):
        """Calls the operation with this schedule."""
        with _options.options(schedule_file=self):
            try:
                return self.operation(*args, **kwargs)
            except _errors.CompileError as error:
                self._explain(error)
                raise

    @property
    def __name__(self):
        return repr(self)

    def __repr__(self):
        return ".".join([f"{self.operation.__name__}.schedule()", *(step.text for step in self.steps)])

    def _explain(self, error):
        """Replaces MLIR's message by one that says which step found nothing to work on. Adds notes that
        say where the tiles are that do not fit."""
        for step in self.steps:
            if error.location[:2] == step.place[:2] and error.message.startswith(_FOUND_NOTHING):
                error.message = (f"{step.text} finds no {step.target} in operation {self.operation.__name__}(): leave "
                                 "it out, or name another thread")
                error.notes = []
        if "cannot be tiled" in error.message:
            error.others = ()  # MLIR says the same in other words
            error.notes = [*error.notes, *(_errors.Note(f"the schedule has {step.text} here", step.location())
                                           for step in self.steps if step.text.startswith("tile("))]

    # ===----------------------------------------------------------------------=== #
    # Ops
    # ===----------------------------------------------------------------------=== #

    def _matched(self, op, thread=None):
        """Returns the lines that find the ops called `op`, in the whole module or in one thread. They fail
        when there is no such op."""
        within, lines = "%module", []
        if thread is not None:
            lines, within = self._thread(thread), "%n_thread"
        return [*lines, f'%n_ops = transform.structured.match ops{{["{op}"]}} in {within} : ({_ANY}) -> {_ANY}',
                *_not_empty("%n_ops")]

    def _thread(self, name):
        known = _nested_functions(self.operation.function.__code__)
        if name not in known:
            similar = _source.similar(name, known) if isinstance(name, str) else None
            raise ValueError(f"operation {self.operation.__name__}() has no thread {name!r}" + (
                f"; did you mean '{similar}'?" if similar else f": its functions are {', '.join(known) or 'none'}"))
        return [f'%n_thread = transform.structured.match ops{{["ttl.datamovement_thread"]}} '
                f'attributes {{name = "{name}"}} in %module : ({_ANY}) -> {_ANY}', *_not_empty("%n_thread")]

    def _whole_thread(self, op, thread, facts=""):
        return [*self._thread(thread), f"%n_new = transform.ttl.{op} %n_thread{facts} : ({_ANY}) -> {_ANY}"], \
            f"data movement thread '{thread}'", 0


def _not_empty(handle):
    parameter = "!transform.param<i64>"
    return [f"{handle}_count = transform.num_associations {handle} : ({_ANY}) -> {parameter}",
            f"{handle}_least = transform.param.constant 1 : i64 -> {parameter}",
            f"transform.match.param.cmpi ge {handle}_count, {handle}_least : {parameter}"]


def _nested_functions(code):
    """Returns the names of the functions in the body of a function."""
    inner = [each for each in code.co_consts if hasattr(each, "co_name") and not each.co_name.startswith("<")]
    return [name for each in inner for name in (each.co_name, *_nested_functions(each))]


def _whole(value, least, method, name):
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{method}: {name} must be an integer of at least {least}, found {value!r}")
    return value


def _word(value, known, method, name):
    if value not in known:
        words = f"{', '.join(map(repr, known[:-1]))} or {known[-1]!r}"
        raise ValueError(f"{method}: {name} must be {words}, found {value!r}")
    return value


def _quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


@functools.cache
def _folder():
    """Returns the folder of this process for the files of schedules."""
    folder = tempfile.mkdtemp(prefix="ttl-schedules-")
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder, process):
    if os.getpid() == process:  # not a child that was forked
        shutil.rmtree(folder, ignore_errors=True)
