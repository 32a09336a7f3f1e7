"""The HTTP surface. Spec: Endpoints."""
