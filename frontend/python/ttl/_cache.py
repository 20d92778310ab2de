# ===- _cache.py - the cache of compiled programs ---------------------------------===
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import collections

LIMIT = 1024  # the most programs that the cache keeps

CacheInfo = collections.namedtuple("CacheInfo", "hits misses size")


class Cache:
    """Holds compiled programs; the least recently used one is dropped first. `facts` are the
    properties of a call that do not depend on its Python values. Among the programs with equal
    facts, the keys of the Python values that their compilation read select the right one. A plan
    lists these reads. Usually one plan is enough for all programs with equal facts; there are more
    if values decide what is read."""

    def __init__(self):
        self.programs = collections.OrderedDict()  # (facts, plan, keys) -> program
        self.plans = {}  # facts -> {plan: number of its programs}
        self.hits = self.misses = 0
        self.last_plan = None  # of the program that was found or kept last; None: it is not kept

    def find(self, facts, call):
        """Returns the program that fits the call, or None. Adds captured tensors to the call."""
        arguments = len(call.tensors)
        for plan in tuple(self.plans.get(facts, ())):  # another thread may add a plan meanwhile
            entry = (facts, plan, plan.evaluate(call))
            program = self.programs.get(entry)
            if program is not None:
                self.hits += 1
                self.last_plan = plan
                self._note_use(entry)
                return program
            del call.tensors[arguments:]
        self.misses += 1
        return None

    def keep(self, facts, recorder, program):
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
        if len(self.programs) > LIMIT:
            self._forget(*self.programs.popitem(last=False)[0][:2])

    def _note_use(self, entry):
        try:
            self.programs.move_to_end(entry)
        except KeyError:  # another thread's program replaced it
            pass

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
