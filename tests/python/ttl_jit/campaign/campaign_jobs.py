# SPDX-License-Identifier: Apache-2.0
"""Jobs that the campaigns of test_campaign.py run."""

import os
import time


def square(number):
    if number == 13:
        os.abort()
    if number == 17:
        time.sleep(60)
    if number == 19:
        raise ValueError("nineteen")
    return number * number


def noted(arguments):
    """Appends a letter to a file, so that a test can count the calls."""
    file, number = arguments
    with open(f"{file}{number}", "a") as stream:
        stream.write("x")
    return number


def process(_):
    return os.getpid()
