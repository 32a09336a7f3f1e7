"""The functions of the tools: parse the input, call a service, return the result."""
