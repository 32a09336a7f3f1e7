"""An index that a migration adds without holding up who writes to the table meanwhile."""

from typing import Any

from django.db import migrations


class AddIndexConcurrently(migrations.AddIndex):
    """Add an index while others write to the table, on PostgreSQL; its migration is not atomic."""

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Create the index: concurrently on PostgreSQL, as usual elsewhere."""
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.add_index(model, self.index, concurrently=True)
