"""The 30 column types: from text as people write it to values that a host can trust.

Spec: field > columnType. A type is one function from a text array to values and faults
(``Parsed``); an edited cell is an array of length one.
"""
