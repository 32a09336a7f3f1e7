"""Pictures of text become pages: opened within limits, turned upright, recognised."""
