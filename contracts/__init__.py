"""Portable contracts: what a tenant accepts, signed, without data. Spec: Portable import contract.

``python -m contracts`` and the modules it uses know no framework, database or network; the models,
services, selectors and admin beside them are the engine's side.
"""
