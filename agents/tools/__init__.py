"""The work of each tool: read what was asked, call a service, show what came of it."""
