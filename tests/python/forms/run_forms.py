# SPDX-License-Identifier: Apache-2.0
"""Runs the matrix of forms, contexts and styles (forms_program.py says what these are), or a part of it:

    run_forms.py                      every case
    run_forms.py --suite              the part that the test suite runs
    run_forms.py --count=200          a sample, always the same one
    run_forms.py --bound              only cases whose threads are bound to processors, of all cases or of the suite's
    run_forms.py compute.sum /long/   cases whose names contain one of these texts
    run_forms.py --show CASE          the program of a case
"""

import argparse
import collections
import re
import sys
import tempfile
import zlib

import forms_cases
import forms_children
import forms_program
import forms_refused


def sample(cases, count):
    """Returns `count` cases spread over all forms and contexts. It depends on names only, so runs agree."""
    return sorted(cases, key=lambda case: zlib.crc32(case.encode()))[:count]


def all_cases():
    return [*forms_cases.cases(), *forms_refused.cases()]


def is_bound(case):
    name, _, rest = case.partition("/")
    context, _, style = rest.partition("/")
    return name in forms_cases.FORMS and forms_program.is_bound(forms_cases.FORMS[name], context, style)


def suite_cases(cases):
    """Returns the cases that the test suite runs: one for each form, in some context."""
    found = {}
    for case in sample(cases, None):
        found.setdefault(case.partition("/")[0], case)
    return sorted(found.values())


def run_case(case, folder):
    module = forms_refused if case.startswith("refused.") else forms_cases
    return module.run(case, folder)


def show(case):
    if case.startswith("refused."):
        return forms_refused.text(case)
    name, context, style = case.split("/")
    form = forms_cases.FORMS[name]
    result = forms_program.expected(form, context)
    arrays = forms_program.tensor_arrays(form, forms_program.counts(form, result))
    return forms_program.program_text(form, context, style, result.order, arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--count", type=int)
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("--bound", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="number of cases of the sample to skip")
    parser.add_argument("--engines", default=",".join(forms_cases.ENGINES))
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    forms_cases.ENGINES = options.engines.split(",")
    known = list(filter(is_bound, all_cases())) if options.bound else all_cases()
    known = suite_cases(known) if options.suite else known
    chosen = [case for case in known if not options.parts or any(part in case for part in options.parts)]
    chosen = sample(chosen, len(chosen))[options.first :][: options.count]
    if options.show:
        print(*map(show, chosen), sep="\n\n")
        return 0
    failed, kinds = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, (case, findings) in enumerate(forms_children.run(chosen, folder, run_case), 1):
            if number % 500 == 0:
                print(f"{number} of {len(chosen)} cases", flush=True)
            failed += bool(findings)
            for finding in findings:
                kinds[re.sub(r"\d+|'[^']*'", "", finding)[:100]] += 1
                print(f"{case}\n    {finding}", flush=True)
            if options.verbose and not findings:
                print(case, "ok", flush=True)
    print(f"{len(chosen)} cases, {failed} with findings")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
