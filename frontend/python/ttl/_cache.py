# ===- _cache.py - compiled programs and when they fit a call -------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import collections

LIMIT = 1024  # programs

CacheInfo = collections.namedtuple("CacheInfo", "hits misses size")


class Cache:
    """Compiled programs; the least recently used one goes first.

    `facts` is what of a call is known without its Python values. Programs of equal
    facts are found by the keys of the values that their compilation read. Usually
    one plan reads them all; there are more if the values decide what is read."""

    def __init__(self):
        self.programs = collections.OrderedDict()  # (facts, plan, keys) -> program
        self.plans = {}  # facts -> {plan: number of its programs}
        self.hits = self.misses = 0

    def find(self, facts, call):
        """The program that fits the call, or None. Adds captured tensors to the call."""
        arguments = len(call.tensors)
        for plan in tuple(self.plans.get(facts, ())):  # another thread may add one
            entry = (facts, plan, plan.evaluate(call))
            program = self.programs.get(entry)
            if program is not None:
                self.hits += 1
                self._note_use(entry)
                return program
            del call.tensors[arguments:]
        self.misses += 1
        return None

    def keep(self, facts, recorder, program):
        """Keeps a program unless it depends on what cannot be compared."""
        if not recorder.is_comparable:
            return
        plan = recorder.plan()
        entry = (facts, plan, tuple(recorder.keys))
        if entry not in self.programs:
            plans = self.plans.setdefault(facts, {})
            plans[plan] = plans.get(plan, 0) + 1
        self.programs[entry] = program
        if len(self.programs) > LIMIT:
            self._forget(*self.programs.popitem(last=False)[0][:2])

    def _note_use(self, entry):
        try:
            self.programs.move_to_end(entry)
        except KeyError:  # another thread's program took its place
            pass

    def _forget(self, facts, plan):
        plans = self.plans[facts]
        plans[plan] -= 1
        if not plans[plan]:
            del plans[plan]
        if not plans:
            del self.plans[facts]

    def info(self):
        """How many calls were answered from the cache."""
        return CacheInfo(self.hits, self.misses, len(self.programs))
