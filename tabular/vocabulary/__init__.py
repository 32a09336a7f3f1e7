"""What a header says: its words, the terms in them, and their sense. Spec: What the service does.

``terms`` contains what is known about words, in files that people edit; ``lexicon`` reads them.
"""
