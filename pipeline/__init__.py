"""From a file and decisions to rows and questions. Pure: no framework, database, network or clock.

``run`` runs the jobs, ``recall`` says what decides a question that they ask, ``decide`` settles a
mapping. Jobs and memory come in as ports.
"""
