"""processor_time.py - measures the processor time of a program, for tests that wait until it has computed for a
while."""

import os


def processor_s(process):
    """Processor time that a process has used, or None if it has ended."""
    if process.poll() is not None:
        return None
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
