"""``manage.py contract``."""
