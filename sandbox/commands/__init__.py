"""The commands of ``python -m tabular`` that take files of strangers: each reads in a child."""
