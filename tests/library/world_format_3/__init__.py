"""The world format of docs/world-format-3.md as a program, for the test tests/library/world_format_3.py."""
