"""Signatures that hosts and counterparties verify alike: JWS, key sets, RFC 8785. Pure."""
