"""What the parent and the child of a job say to each other: requests, results, problems.

Both sides import these types, and nothing else crosses between them but Arrow files whose names
the result tells. A parent asks (``requests``), the child answers (``results``); ``forms`` writes
and reads both. Cheap to import: a web process does.
"""
