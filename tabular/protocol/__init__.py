"""The messages between the parent and the child of a job: requests, results, problems.

Both sides import these types. Nothing else passes between them except Arrow files, whose names are
in the result. A parent asks (``requests``), the child answers (``results``); ``forms`` writes and
reads both. Cheap to import, because a web process imports it.
"""
