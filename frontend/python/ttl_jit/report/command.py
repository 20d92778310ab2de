# SPDX-License-Identifier: Apache-2.0
"""The command `ttl-jit report`: its arguments, and what it writes."""

import argparse
import json
import os
import sys

from ttl_jit.report import _counts, _figures, _numerics, _page, _text, _trace, _versions

SUCCESS, USAGE = 0, 2


def parser():
    found = argparse.ArgumentParser(prog="ttl-jit report", description="Shows a trace that "
                                    "`ttl-jit run --trace=FILE` wrote. Without --html and --json: as text.")
    found.add_argument("file", metavar="FILE", help="the trace, compressed or not")
    found.add_argument("--html", metavar="OUT", help="write a page for a browser")
    found.add_argument("--json", metavar="OUT", help="write the figures of the text as JSON")
    found.add_argument("--counts", action="store_true",
                       help="show how often each line moves data, and the pages of buffers, in tables")
    found.add_argument("--vs", metavar="OTHER", help="compare with another trace: which lines gained, which lost")
    found.add_argument("--numerics", metavar="FILE",
                       help="add a section with the errors that `ttl-jit numerics --json=FILE` explained; "
                       "needs --html")
    found.add_argument("--launch", metavar="N", type=int, help="the launch to show (default: the last one)")
    return found


def write(path, text):
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise OSError(f"cannot write '{path}': {error.strerror}") from None


def show(options):
    launch, number = _trace.read(options.file, options.launch)
    if options.counts:
        sys.stdout.write(_counts.text(launch, number))
        sys.stdout.flush()
        return
    found = _figures.figures(launch)
    if options.html:
        explained = _numerics.read(options.numerics, found["kernel"]) if options.numerics else ()
        write(options.html, _page.page(launch, found, explained))
    if options.json:
        write(options.json, json.dumps(found, indent=1) + "\n")
    if not options.html and not options.json:
        sys.stdout.write(_text.text(found))
        sys.stdout.flush()


def compare(options):
    """Shows the difference of two traces."""
    if options.counts:
        raise _trace.TraceError("--counts shows one trace, and --vs compares two: leave one of them out")
    (first, _), (second, _) = (_trace.read(file, options.launch) for file in (options.file, options.vs))
    found = _versions.figures(_figures.figures(first), _figures.figures(second))
    if options.html:
        names = [os.path.basename(file) for file in (options.file, options.vs)]
        write(options.html, _versions.page(found, first, second, names))
    if options.json:
        write(options.json, json.dumps(found, indent=1) + "\n")
    if not options.html and not options.json:
        sys.stdout.write(_versions.text(found))
        sys.stdout.flush()


def main(arguments):
    options = parser().parse_args(arguments)
    if options.numerics and not options.html:
        parser().error("--numerics adds a section to a page: give --html=OUT, too")
    try:
        compare(options) if options.vs else show(options)
    except (_trace.TraceError, _numerics.WrongFile, ValueError, OSError) as error:
        print(f"ttl-jit report: {error}", file=sys.stderr)
        return USAGE
    return SUCCESS
