"""Whether 0.5 means one half or half a percent in a field. Answer: fraction or percent."""

from pipeline.kind import ValueKind


class PercentScale(ValueKind):
    """The question which scale the shares of a field are in."""

    name = "percent_scale"
