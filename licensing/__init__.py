"""Tenants, license keys, entitlements, and who may call. Spec: Authentication."""
