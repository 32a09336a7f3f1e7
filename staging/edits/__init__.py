"""Changes of rows: edits, fixes, replacements, and new files when an overlay is too small."""
