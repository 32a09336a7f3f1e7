"""How imports into each catalog went, step by step, and what people had to correct."""
