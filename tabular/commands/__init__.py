"""The commands of ``python -m tabular``, one module each with ``run(arguments) -> int``."""
