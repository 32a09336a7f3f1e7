"""A rehearsal: a receiver gets what production will send it sooner or later."""

from deliveries.rehearsal.receiver import Receiver, Rows
from deliveries.rehearsal.scenes import SCENES, Report, rehearse

__all__ = ["SCENES", "Receiver", "Report", "Rows", "rehearse"]
