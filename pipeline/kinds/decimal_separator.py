"""Whether a comma or a point separates decimals in numbers of a field. Answer: eu or us."""

from pipeline.kind import ValueKind


class DecimalSeparator(ValueKind):
    """The question how the numbers of a field are written."""

    name = "decimal_separator"
