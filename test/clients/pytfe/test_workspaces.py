import pytest
from pytfe import errors, models
from pytfe.models import WorkspaceCreateOptions, WorkspaceUpdateOptions


def ids(items):
    return [item.id for item in items]


def keys(bindings):
    return {binding.key: binding.value for binding in bindings}


def test_create(client, organization, project):
    options = WorkspaceCreateOptions(
        name="settings",
        description="All of it",
        auto_apply=True,
        execution_mode="local",
        queue_all_runs=True,
        terraform_version="1.5.7",
        trigger_prefixes=["/modules"],
        working_directory="network",
        project=project,
        tag_bindings=[models.TagBinding(key="env", value="prod")],
    )
    made = client.workspaces.create(organization, options)
    read = client.workspaces.read("settings", organization=organization)
    assert read == client.workspaces.read_by_id(made.id)
    for name in ["description", "auto_apply", "queue_all_runs", "trigger_prefixes", "working_directory"]:
        assert getattr(read, name) == getattr(options, name)
    assert (read.execution_mode, read.project.id) == ("local", project.id)
    assert read.setting_overwrites.execution_mode is True
    assert keys(client.workspaces.list_tag_bindings(made.id)) == {"env": "prod"}


def test_update_says_nothing_of_what_it_leaves_out(client, organization, workspace):
    """Every update carries an empty repository and empty overwrites."""
    client.workspaces.update_by_id(workspace.id, WorkspaceUpdateOptions(name=workspace.name, execution_mode="local"))
    oauth = client.oauth_clients.create(
        organization,
        models.OAuthClientCreateOptions(
            service_provider="github",
            http_url="https://github.example.com",
            api_url="https://api.github.example.com",
            oauth_token="dummy",
        ),
    )
    token = oauth.oauth_tokens[0]["id"]
    repo = models.VCSRepoOptions(identifier="acme/infra", oauth_token_id=token, branch="main")
    client.workspaces.update_by_id(workspace.id, WorkspaceUpdateOptions(name=workspace.name, vcs_repo=repo))
    options = WorkspaceUpdateOptions(name="renamed", description="New")
    updated = client.workspaces.update(workspace.name, options, organization=organization)
    assert (updated.name, updated.description, updated.execution_mode) == ("renamed", "New", "local")
    assert (updated.vcs_repo.identifier, updated.vcs_repo.branch) == ("acme/infra", "main")
    assert client.workspaces.remove_vcs_connection_by_id(workspace.id).vcs_repo is None


def test_list(client, organization, workspace):
    options = models.WorkspaceListOptions(search=workspace.name)
    assert ids(client.workspaces.list(organization, options)) == [workspace.id]
    assert workspace.id in ids(client.workspaces.list(organization))


def test_lock(client, workspace):
    locked = client.workspaces.lock(workspace.id, models.WorkspaceLockOptions(reason="maintenance"))
    assert (locked.locked, locked.locked_by.user is not None) == (True, True)
    with pytest.raises(errors.TFEError):
        client.workspaces.lock(workspace.id, models.WorkspaceLockOptions())
    assert client.workspaces.unlock(workspace.id).locked is False
    client.workspaces.lock(workspace.id, models.WorkspaceLockOptions())
    assert client.workspaces.force_unlock(workspace.id).locked is False


def test_ssh_key(client, organization, workspace):
    key = client.ssh_keys.create(organization, models.SSHKeyCreateOptions(name="first", value=SSH_KEY))
    assert client.ssh_keys.update(key.id, models.SSHKeyUpdateOptions(name="second")).name == "second"
    assert ids(client.ssh_keys.list(organization)) == [key.id]
    options = models.WorkspaceAssignSSHKeyOptions(ssh_key_id=key.id)
    assert client.workspaces.assign_ssh_key(workspace.id, options).ssh_key.id == key.id
    assert client.workspaces.unassign_ssh_key(workspace.id).ssh_key is None
    client.ssh_keys.delete(key.id)
    with pytest.raises(errors.NotFound):
        client.ssh_keys.read(key.id)


def test_remote_state_consumers(client, organization, workspace):
    consumer = client.workspaces.create(organization, WorkspaceCreateOptions(name="consumer"))
    workspaces = client.workspaces
    of = models.WorkspaceAddRemoteStateConsumersOptions
    workspaces.add_remote_state_consumers(workspace.id, of(workspaces=[consumer]))
    assert ids(workspaces.list_remote_state_consumers(workspace.id)) == [consumer.id]
    workspaces.update_remote_state_consumers(
        workspace.id, models.WorkspaceUpdateRemoteStateConsumersOptions(workspaces=[consumer])
    )
    workspaces.remove_remote_state_consumers(
        workspace.id, models.WorkspaceRemoveRemoteStateConsumersOptions(workspaces=[consumer])
    )
    assert ids(workspaces.list_remote_state_consumers(workspace.id)) == []


def test_tags(client, organization, workspace):
    workspaces = client.workspaces
    workspaces.add_tags(workspace.id, models.WorkspaceAddTagsOptions(tags=[models.Tag(name="blue")]))
    [tag] = workspaces.list_tags(workspace.id)
    assert tag.name == "blue"
    other = workspaces.create(organization, WorkspaceCreateOptions(name="other"))
    options = models.AddWorkspacesToTagOptions(workspace_ids=[other.id])
    client.organization_tags.add_workspaces(organization, tag.id, options)
    assert workspaces.read_by_id(other.id).tag_names == ["blue"]
    workspaces.remove_tags(workspace.id, models.WorkspaceRemoveTagsOptions(tags=[models.Tag(name="blue")]))
    assert [one.name for one in client.organization_tags.list(organization)] == ["blue"]
    client.organization_tags.delete(organization, models.OrganizationTagsDeleteOptions(ids=[tag.id]))
    assert list(client.organization_tags.list(organization)) == []


def test_tag_bindings(client, workspace):
    options = models.WorkspaceAddTagBindingsOptions(tag_bindings=[models.TagBinding(key="env", value="prod")])
    client.workspaces.add_tag_bindings(workspace.id, options)
    assert keys(client.workspaces.list_effective_tag_bindings(workspace.id)) == {"env": "prod"}
    client.workspaces.delete_all_tag_bindings(workspace.id)
    assert keys(client.workspaces.list_tag_bindings(workspace.id)) == {}


def test_data_retention_policy(client, workspace):
    options = models.DataRetentionPolicyDeleteOlderSetOptions(delete_older_than_n_days=33)
    made = client.workspaces.set_data_retention_policy_delete_older(workspace.id, options)
    assert made.delete_older_than_n_days == 33
    assert client.workspaces.set_data_retention_policy_dont_delete(workspace.id).id
    client.workspaces.delete_data_retention_policy(workspace.id)


def test_variables(client, workspace):
    options = models.VariableCreateOptions(key="region", value="north", category="terraform", sensitive=False)
    made = client.variables.create(workspace.id, options)
    assert (made.key, made.value) == ("region", "north")
    change = models.VariableUpdateOptions(value="south", description="Where")
    changed = client.variables.update(workspace.id, made.id, change)
    assert (changed.value, changed.description) == ("south", "Where")
    assert client.variables.read(workspace.id, made.id).value == "south"
    assert ids(client.variables.list(workspace.id)) == [made.id]
    assert ids(client.variables.list_all(workspace.id)) == [made.id]
    client.variables.delete(workspace.id, made.id)
    assert ids(client.variables.list(workspace.id)) == []


def test_delete(client, organization, workspace):
    client.workspaces.safe_delete(workspace.name, organization=organization)
    with pytest.raises(errors.NotFound):
        client.workspaces.read_by_id(workspace.id)
    again = client.workspaces.create(organization, WorkspaceCreateOptions(name=workspace.name))
    client.workspaces.delete_by_id(again.id)


SSH_KEY = """-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDH8bdkynkriVWBOELL1FyCrWu6+1YpykP44G/LmxjkBgAAAIiOeEWdjnhF
nQAAAAtzc2gtZWQyNTUxOQAAACDH8bdkynkriVWBOELL1FyCrWu6+1YpykP44G/LmxjkBg
AAAEDmmjCrHuYHBAvM4JRorEIO5wLMltc4tslg29reY80kDMfxt2TKeSuJVYE4QsvUXIKt
a7r7VinKQ/jgb8ubGOQGAAAABHRlc3QB
-----END OPENSSH PRIVATE KEY-----
"""
