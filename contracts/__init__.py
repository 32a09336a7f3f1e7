"""Portable contracts: what a tenant accepts, signed, without data. Spec: Portable import contract.

``python -m contracts`` and the modules it uses need no framework, database or network. The models,
services, selectors and admin are the engine's side.
"""
