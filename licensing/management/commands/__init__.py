"""``python manage.py license``."""
