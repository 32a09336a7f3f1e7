"""Webhook registrations, deliveries and their attempts. Spec: Events."""
