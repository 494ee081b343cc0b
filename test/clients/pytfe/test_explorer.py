import pytest
from pytfe import errors, models
from pytfe.models import ExplorerQueryOptions, ExplorerSavedQuery, ExplorerUrlFilter, ExplorerViewType

WORKSPACES = ExplorerViewType.WORKSPACES


@pytest.fixture(scope="module")
def names(client, organization):
    names = ["api", "database", "web"]
    for name in names:
        client.workspaces.create(organization, models.WorkspaceCreateOptions(name=name))
    return names


def saved(*filters, **settings):
    of = [models.ExplorerSavedQueryFilter(field=field, operator=how, value=[value]) for field, how, value in filters]
    return ExplorerSavedQuery(query_type=WORKSPACES, filter=of, **settings)


def names_of(rows):
    return [row.attributes["workspace_name"] for row in rows]


def test_query(client, organization, names):
    options = ExplorerQueryOptions(view_type=WORKSPACES, sort="-workspace_name", page_size=2)
    rows = list(client.explorer.query(organization, options))
    assert names_of(rows) == names[::-1]
    assert rows[0].type == "visibility-workspace"
    assert rows[0].attributes["external_id"] == rows[0].id
    both = [
        ExplorerUrlFilter(index=0, field="workspace_name", operator="contains", value="A"),
        ExplorerUrlFilter(index=1, field="workspace_name", operator="is_not", value="api"),
    ]
    options = ExplorerQueryOptions(view_type=WORKSPACES, fields="workspace_name,drifted", filters=both)
    [row] = client.explorer.query(organization, options)
    assert row.attributes == {"workspace_name": "database", "drifted": False}


@pytest.mark.parametrize("view_type", [ExplorerViewType.PROVIDERS, ExplorerViewType.MODULES])
def test_query_of_what_no_workspace_uses(client, organization, names, view_type):
    assert list(client.explorer.query(organization, ExplorerQueryOptions(view_type=view_type))) == []


def test_query_of_engine_versions(client, organization, names):
    [row] = client.explorer.query(organization, ExplorerQueryOptions(view_type=ExplorerViewType.TF_VERSIONS))
    assert (row.type, row.attributes["workspace_count"]) == ("visibility-tf-version", 3)
    assert row.attributes["workspaces"] == "api, database, web"


def test_query_with_mistake(client, organization):
    with pytest.raises(errors.TFEError, match="no field"):
        list(client.explorer.query(organization, ExplorerQueryOptions(view_type=WORKSPACES, sort="color")))
    with pytest.raises(errors.NotFound):
        list(client.explorer.query("no-such-organization", ExplorerQueryOptions(view_type=WORKSPACES)))


def test_export_csv(client, organization, names):
    options = ExplorerQueryOptions(view_type=WORKSPACES, fields="workspace_name", sort="workspace_name")
    assert client.explorer.export_csv(organization, options) == 'workspace_name\n"api"\n"database"\n"web"\n'


def test_saved_views(client, organization, names):
    explorer = client.explorer
    query = saved(("workspace_name", "contains", "a"), fields=["workspace_name"], sort=["-workspace_name"])
    options = models.ExplorerSavedViewCreateOptions(name="With a", query_type=WORKSPACES, query=query)
    made = explorer.create_saved_view(organization, options)
    assert (made.name, made.query_type, made.query) == ("With a", WORKSPACES, query)
    assert explorer.read_saved_view(organization, made.id) == made
    assert list(explorer.list_saved_views(organization)) == [made]
    assert names_of(explorer.saved_view_results(organization, made.id)) == ["database", "api"]
    assert explorer.saved_view_results_csv(organization, made.id) == 'workspace_name\n"database"\n"api"\n'

    change = models.ExplorerSavedViewUpdateOptions(name="Web", query=saved(("workspace_name", "is", "web")))
    changed = explorer.update_saved_view(organization, made.id, change)
    assert (changed.id, changed.name, changed.query.filter) == (made.id, "Web", change.query.filter)
    assert names_of(explorer.saved_view_results(organization, made.id)) == ["web"]
    explorer.delete_saved_view(organization, made.id)
    with pytest.raises(errors.NotFound):
        explorer.read_saved_view(organization, made.id)
