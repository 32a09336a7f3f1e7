"""Agents: the engine as tools, over MCP. Spec: Agent tools; docs/agents.md."""
