from django.apps import AppConfig


class MailsConfig(AppConfig):
    name = "mails"
