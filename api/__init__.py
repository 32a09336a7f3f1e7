"""The HTTP API. Spec: Endpoints."""
