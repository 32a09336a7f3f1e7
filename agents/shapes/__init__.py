"""Input and output schemas of tools, made from the HTTP schemas."""
