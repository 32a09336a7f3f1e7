"""The programs of an engine: started, watched, limited."""
