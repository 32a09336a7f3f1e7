"""What a header says: its words, the terms in them, and their sense. Spec: What the service does.

``terms`` holds what is known of words, in files that people edit; ``lexicon`` reads them.
"""
