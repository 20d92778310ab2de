# ===- _cache.py - the cache of compiled programs -----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import collections
import weakref

from ttl import _headers

LIMIT = 1024  # the most programs that the cache keeps
UNUSED_LIMIT = 64  # the most programs in the cache that no living operation has used

CacheInfo = collections.namedtuple("CacheInfo", "hits misses size")


class Cache:
    """Holds compiled programs; the least recently used one is dropped first. A program is kept even
    after all operations that used it are gone, since a function may make an equal operation at each
    call; the cache keeps at most UNUSED_LIMIT of these programs.

    `facts` are the properties of a call that do not depend on its Python values. A plan lists the
    Python values that a compilation read. Among the programs with equal facts, the keys of these
    values select the right one. Programs with equal facts usually have one plan; they have several
    if a value decides which other values are read."""

    def __init__(self):
        self.programs = collections.OrderedDict()  # (facts, plan, keys) -> program
        self.plans = {}  # facts -> {plan: number of its programs}
        self.users = {}  # key of a program -> number of living operations that used it
        self.used = {}  # id of a living operation -> {id of a program: its key}
        self.unused = collections.OrderedDict()  # keys of programs without users
        self.hits = self.misses = 0
        self.files = {}  # key of a program -> stamps of the files that it was compiled from
        # the plan of the program that was found or kept last; None if it must not be replayed
        self.last_plan = None

    def find(self, facts, call, operation):
        """Returns the program that fits the call, or None. Adds captured tensors to the call."""
        arguments = len(call.tensors)
        for plan in tuple(self.plans.get(facts, ())):  # another thread may add a plan meanwhile
            entry = (facts, plan, plan.evaluate(call))
            program = self.programs.get(entry)
            files = self.files.get(entry)
            if files and not _headers.are_current(files):
                self._drop(entry)
                program = None
            if program is not None:
                self.hits += 1
                self.last_plan = None if files else plan
                self._note_use(entry, program, operation)
                return program
            del call.tensors[arguments:]
        self.misses += 1
        return None

    def keep(self, facts, recorder, program, operation):
        """Keeps a program, unless it depends on values that cannot be compared."""
        self.last_plan = None
        if not recorder.is_comparable:
            return
        self.last_plan = plan = recorder.plan()
        entry = (facts, plan, tuple(recorder.keys))
        if entry not in self.programs:
            plans = self.plans.setdefault(facts, {})
            plans[plan] = plans.get(plan, 0) + 1
        self.programs[entry] = program
        if files := getattr(recorder.call, "files", None):
            self.files[entry] = files
            self.last_plan = None  # a replay (_replay.py) does not check the files
        self._note_user(entry, program, operation)
        if len(self.programs) > LIMIT:
            self._drop(next(iter(self.programs)))

    def _note_use(self, entry, program, operation):
        try:
            self.programs.move_to_end(entry)
        except KeyError:  # another thread's program replaced it
            return
        self._note_user(entry, program, operation)

    def _note_user(self, entry, program, operation):
        used = self.used.get(id(operation))
        if used is None:
            used = self.used[id(operation)] = {}
            weakref.finalize(operation, self._end_uses, id(operation)).atexit = False
        if used.get(id(program)) is None:
            used[id(program)] = entry
            self.users[entry] = self.users.get(entry, 0) + 1
            self.unused.pop(entry, None)

    def _end_uses(self, operation):
        """Called when an operation is gone: its programs may be dropped if no other uses them."""
        for entry in self.used.pop(operation).values():
            users = self.users.get(entry, 0) - 1
            if users < 0:  # the program was dropped
                continue
            self.users[entry] = users
            if not users:
                self.unused[entry] = None
        while len(self.unused) > UNUSED_LIMIT:
            self._drop(next(iter(self.unused)))

    def _drop(self, entry):
        program = self.programs.pop(entry, None)
        self.users.pop(entry, None)
        self.files.pop(entry, None)
        self.unused.pop(entry, None)
        for used in self.used.values():
            used.pop(id(program), None)
        if program is not None:
            self._forget(*entry[:2])

    def _forget(self, facts, plan):
        plans = self.plans[facts]
        plans[plan] -= 1
        if not plans[plan]:
            del plans[plan]
        if not plans:
            del self.plans[facts]

    def info(self):
        """Returns how many calls used a program of the cache and how many did not."""
        return CacheInfo(self.hits, self.misses, len(self.programs))
