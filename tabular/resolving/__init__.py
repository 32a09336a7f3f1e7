"""References to entities, links and questions. Spec: reference.

``pointers`` says which fields refer to what, ``deciding`` finds the entity that a text means,
``findings`` says what is wrong with it, ``graph`` records what was meant.
"""
