"""Index remembered answers by kind, without holding up who writes them meanwhile."""

from django.db import migrations, models


class AddIndexConcurrently(migrations.AddIndex):
    """Add an index while others write to the table, on PostgreSQL."""

    atomic = False

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.add_index(model, self.index, concurrently=True)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('ledger', '0002_model_answers'),
        ('licensing', '0005_test_keys'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='answer',
            index=models.Index(fields=['tenant', 'kind', '-id'], name='answers_of_a_kind'),
        ),
    ]
