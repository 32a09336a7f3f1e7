"""Measure the engine with files and programs from outside."""
