"""Whether the day or the month comes first in dates of a field. Answer: dmy or mdy."""

from pipeline.kind import ValueKind


class DateOrder(ValueKind):
    """The question which order the dates of a field are in."""

    name = "date_order"
