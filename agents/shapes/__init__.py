"""What tools take and give, made of the shapes of the wire."""
