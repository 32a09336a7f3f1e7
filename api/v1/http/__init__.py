"""What the views share: bodies, pages, problems."""
