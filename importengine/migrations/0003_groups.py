"""The groups of the admin, and what each may do there. docs/admin.md."""

from django.db import migrations

LOOK = {
    "licensing": ("tenant", "license", "membership", "pagesession"),
    "catalogs": ("catalog", "catalogversion"),
    "imports": ("importrecord", "profile"),
    "ledger": ("question", "answer"),
    "changesets": ("changeset",),
    "deliveries": ("registration", "delivery", "attempt"),
    "contracts": ("issuedcontract", "signingkey"),
    "common": ("event",),
}
VIEWER = [(app, f"view_{model}") for app, models in LOOK.items() for model in models]
EDITOR = [
    *VIEWER,
    ("imports", "change_importrecord"),
    ("imports", "change_profile"),
    ("ledger", "change_question"),
    ("ledger", "change_answer"),
]
PUBLISHER = [*EDITOR, ("contracts", "add_issuedcontract")]
OPERATOR = [
    *VIEWER,
    ("licensing", "change_tenant"),
    ("licensing", "add_license"),
    ("licensing", "change_license"),
    ("licensing", "change_pagesession"),
    ("imports", "change_importrecord"),
    ("deliveries", "change_registration"),
    ("deliveries", "change_delivery"),
    ("contracts", "change_signingkey"),
]
GROUPS = {"viewer": VIEWER, "editor": EDITOR, "publisher": PUBLISHER, "operator": OPERATOR}


def make_groups(apps, schema_editor):
    """Make the groups that are missing; one that is there stays as somebody made it."""
    Group = apps.get_model("auth", "Group")
    for name, wanted in GROUPS.items():
        group, is_new = Group.objects.get_or_create(name=name)
        if is_new:
            group.permissions.set([permission(apps, app, codename) for app, codename in wanted])


def permission(apps, app, codename):
    """Return a permission, created if missing: Django creates them after the last migration."""
    verb, model = codename.split("_")
    kinds = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = kinds.get_or_create(app_label=app, model=model)
    name = f"Can {verb} {apps.get_model(app, model)._meta.verbose_name}"
    found, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name}
    )
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("importengine", "0002_erasures"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("licensing", "0003_page_sessions"),
        ("catalogs", "0002_members_without_null"),
        ("imports", "0002_profiles"),
        ("ledger", "0002_memory_at_apply"),
        ("changesets", "0001_initial"),
        ("deliveries", "0001_initial"),
        ("contracts", "0001_initial"),
        ("common", "0002_events"),
    ]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
