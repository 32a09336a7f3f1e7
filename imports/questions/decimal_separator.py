"""Whether a comma or a point separates decimals in numbers of a field. Answer: eu or us."""

from imports.questions.model import ValueKind


class DecimalSeparator(ValueKind):
    """The question how the numbers of a field are written."""

    name = "decimal_separator"
