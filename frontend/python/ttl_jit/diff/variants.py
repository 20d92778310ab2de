# SPDX-License-Identifier: Apache-2.0
"""The ways to run a program that ttl-diff compares. Each is a set of options of ttl-jit."""

from dataclasses import dataclass

# The optimisations of the JIT, each with the value that switches it off.
SWITCHES = {
    "tile-loops": "off", "block-transfers": "off", "aliases": "off", "share-arrays": "off",
    "opt-level": "0", "host-cpu": "x86-64-v2",
}


@dataclass(frozen=True)
class Variant:
    """Options as (name, value) pairs, in the words of the command line."""

    options: tuple

    def __str__(self):
        return " ".join(f"--{name}={value}" for name, value in self.options)

    def keywords(self):
        """Returns the options as keywords of ttl.options()."""
        return {name.replace("-", "_"): value for name, value in self.options}

    def with_option(self, name, value):
        return Variant((*self.options, (name, value)))

    def order(self):
        """Returns the options that choose the order of threads and transfers, without those that
        have their usual values. Which of several faults comes first depends on the order."""
        usual = {("schedule", "fair"), ("dma", "late")}
        return {pair for pair in self.options if pair[0] in ("schedule", "seed", "dma")} - usual


def of(text):
    """Returns the variant of options as text: `--engine=jit --seed=3`."""
    pairs = []
    for word in text.split():
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not equals:
            raise ValueError(f"expected options such as --engine=jit, found {word!r}")
        pairs.append((name, value))
    return Variant(tuple(pairs))


def schedule(name):
    """Returns the options of a schedule: fair, greedy, parallel(N), random or random:SEED."""
    policy, _, seed = name.partition(":")
    return (("schedule", policy), *([("seed", seed)] if seed else []))


def variants(engines, stages, schedules, dma, switches):
    """Returns the variants to compare, the one that all others are compared with first."""
    found = [(("engine", engine), *order) for engine in engines for order in map(schedule, schedules)]
    found += [(("engine", engine), ("dma", policy)) for engine in engines for policy in dma]
    found += [(("engine", "interp"), ("stage", stage)) for stage in stages]
    if "jit" in engines:
        found += [(("engine", "jit"), (switch, SWITCHES[switch])) for switch in switches]
    return [Variant(options) for options in dict.fromkeys(found)]
