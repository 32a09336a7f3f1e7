"""Records of the host, fetched by key before rows are compared with them."""
