"""The one outbound POST: vetted addresses, signatures, connections."""
