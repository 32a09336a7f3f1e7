"""Measure the engine with external files and programs."""
