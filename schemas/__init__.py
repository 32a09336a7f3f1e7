"""Shapes of requests and responses, shared by HTTP and agents, and how long a caller waits."""

from common.http.field_sentences import install

install()  # before any shape is declared
