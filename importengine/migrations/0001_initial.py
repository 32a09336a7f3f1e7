"""Make the tables of the package, and the groups of the admin with their permissions. docs/admin.md."""

from django.db import migrations, models


LOOK = {
    "licensing": ("tenant", "license", "membership", "pagesession"),
    "catalogs": ("catalog", "catalogversion"),
    "imports": ("importrecord", "profile"),
    "ledger": ("question", "answer"),
    "references": ("knownset", "knownentity"),
    "changesets": ("changeset",),
    "deliveries": ("registration", "delivery", "attempt"),
    "contracts": ("issuedcontract", "signingkey"),
    "common": ("event",),
}
VIEWER = [(app, f"view_{model}") for app, models in LOOK.items() for model in models]
EDITOR = [
    *VIEWER,
    ("catalogs", "change_catalog"),
    ("imports", "change_importrecord"),
    ("imports", "review_importrecord"),
    ("imports", "change_profile"),
    ("ledger", "change_question"),
    ("ledger", "change_answer"),
    ("references", "change_knownset"),
    ("references", "change_knownentity"),
]
PUBLISHER = [
    *EDITOR,
    ("catalogs", "change_catalogversion"),
    ("contracts", "add_issuedcontract"),
]
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
    """Make the groups that are missing, and leave a group that exists as it is."""
    Group = apps.get_model("auth", "Group")
    for name, wanted in GROUPS.items():
        group, is_new = Group.objects.get_or_create(name=name)
        if is_new:
            group.permissions.set([permission(apps, app, codename) for app, codename in wanted])


def permission(apps, app, codename):
    """Return a permission, created if missing: Django creates them after the last migration."""
    verb, model = codename.split("_")
    options = apps.get_model(app, model)._meta
    name = dict(options.permissions).get(codename, f"Can {verb} {options.verbose_name}")
    kinds = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = kinds.get_or_create(app_label=app, model=model)
    found, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name}
    )
    return found


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('catalogs', '0001_initial'),
        ('changesets', '0001_initial'),
        ('common', '0001_initial'),
        ('contracts', '0001_initial'),
        ('deliveries', '0001_initial'),
        ('imports', '0001_initial'),
        ('ledger', '0001_initial'),
        ('licensing', '0001_initial'),
        ('references', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tenant_id', models.CharField(max_length=64)),
                ('scope', models.CharField(blank=True, max_length=200, null=True)),
                ('counts', models.JSONField()),
                ('actor', models.JSONField()),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='SeenProgram',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('host', models.CharField(default='', max_length=255)),
                ('queues', models.CharField(max_length=200)),
                ('began_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('clock_ahead_s', models.FloatField(default=0.0)),
            ],
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
