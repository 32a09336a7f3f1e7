"""Tables at rest: typed columns, issues, revisions. Knows no import state."""
