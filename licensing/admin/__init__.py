"""Tenants, licenses, memberships, sessions of pages, the audit log, and people."""

from licensing.admin import events, licenses, people, sessions, tenants

__all__ = ["events", "licenses", "people", "sessions", "tenants"]
