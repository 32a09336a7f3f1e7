"""Changes of rows: edits, fixes, replacements, and new files where an overlay is too small."""
