"""
Compare a feed's file with its predecessors, by columns and without a database.

``measuring.picture_of`` sums up a table in a ``picture.Picture``: counts, ranges, and sketches, but
few values. ``comparing.compare`` takes the picture of a file and those of its last predecessors and
returns what is not usual, as a ``finding.Finding`` each, with a code and parameters. A file that is
as usual has none.

Modules that import pyarrow are imported on first use, so this package imports none of them.
"""
