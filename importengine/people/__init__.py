"""Who signs in to ``/admin``: passwords, a provider, second factors. docs/admin.md."""
