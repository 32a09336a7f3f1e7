"""References to entities, links and questions. Spec: reference.

``pointers`` says which fields refer to what, ``deciding`` finds whom a text means, ``findings``
says what is wrong with it, ``graph`` writes down what was meant.
"""
