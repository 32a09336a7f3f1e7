"""Read some rows of a transformed table again: after an edit, or to explain them.

Pure functions over the source and the staged files, with the same steps as for the whole table.
"""
