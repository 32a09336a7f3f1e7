"""Files of other projects, and mutated files: what the engine does with files nobody chose."""
