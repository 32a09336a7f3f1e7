"""Serializers: camelCase only on the wire."""
