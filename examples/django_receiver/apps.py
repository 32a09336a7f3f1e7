from django.apps import AppConfig


class ImportReceiverConfig(AppConfig):
    name = __name__.rpartition(".")[0]  # right wherever the folder is copied
    label = "import_receiver"
    default_auto_field = "django.db.models.BigAutoField"
