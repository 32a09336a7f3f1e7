"""Any folder of files, and mutated files: what the engine does with what was not made for it."""
