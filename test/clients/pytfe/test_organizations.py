import pytest
from pytfe import errors, models
from pytfe.models.team import OrganizationAccessOptions


def ids(items):
    return [item.id for item in items]


def test_organization(client, organization):
    assert client.organizations.read(organization).name == organization
    assert organization in [one.name for one in client.organizations.list()]
    options = models.OrganizationUpdateOptions(email="new@example.com", cost_estimation_enabled=False)
    assert client.organizations.update(organization, options).email == "new@example.com"
    assert client.organizations.read_capacity(organization).pending == 0
    assert client.organizations.read_entitlements(organization).state_storage is True
    assert client.organizations.read_run_queue(organization, models.ReadRunQueueOptions()).items == []


def test_default_settings(client, organization):
    options = models.OrganizationDefaultSettingsUpdateOptions(default_execution_mode="local")
    client.organizations.update_default_settings(organization, options)
    assert client.organizations.read_default_settings(organization).default_execution_mode == "local"
    client.organizations.reset_default_settings(organization)
    assert client.organizations.read_default_settings(organization).default_execution_mode == "remote"


def test_data_retention_policy(client, organization):
    options = models.DataRetentionPolicyDeleteOlderSetOptions(delete_older_than_n_days=33)
    made = client.organizations.set_data_retention_policy_delete_older(organization, options)
    assert made.delete_older_than_n_days == 33
    client.organizations.delete_data_retention_policy(organization)


def test_token(client, organization):
    made = client.organization_tokens.create(organization)
    assert made.token
    assert client.organization_tokens.read(organization).id == made.id
    client.organization_tokens.delete(organization)


def test_ttl_policies(client, organization):
    options = models.OrgTokenTTLPolicyUpdateOptions(team="2h")
    assert client.organization_token_ttl_policies.update(organization, options)
    assert list(client.organization_token_ttl_policies.list(organization))


def test_projects(client, organization):
    made = client.projects.create(organization, models.ProjectCreateOptions(name="Network", description="Ours"))
    assert client.projects.read(made.id).description == "Ours"
    assert client.projects.update(made.id, models.ProjectUpdateOptions(name="Networks")).name == "Networks"
    assert made.id in ids(client.projects.list(organization))
    binding = models.TagBinding(key="env", value="prod")
    client.projects.add_tag_bindings(made.id, models.ProjectAddTagBindingsOptions(tag_bindings=[binding]))
    assert [one.key for one in client.projects.list_effective_tag_bindings(made.id)] == ["env"]
    client.projects.delete_tag_bindings(made.id)
    assert list(client.projects.list_tag_bindings(made.id)) == []
    workspace = client.workspaces.create(organization, models.WorkspaceCreateOptions(name="moves"))
    client.projects.move_workspaces(made.id, [workspace.id])
    assert client.workspaces.read_by_id(workspace.id).project.id == made.id
    client.workspaces.delete_by_id(workspace.id)
    client.projects.delete(made.id)


def test_teams(client, organization):
    access = OrganizationAccessOptions(manage_workspaces=True)
    made = client.teams.create(organization, models.TeamCreateOptions(name="builders", organization_access=access))
    assert made.organization_access.manage_workspaces is True
    assert client.teams.update(made.id, models.TeamUpdateOptions(name="smiths")).name == "smiths"
    assert client.teams.read(made.id).name == "smiths"
    assert made.id in ids(client.teams.list(organization))
    me = client.users.read_current()
    client.teams.add_users(made.id, [me.username])
    assert [user.username for user in client.teams.list_users(made.id)] == [me.username]
    client.teams.remove_users(made.id, [me.username])
    client.teams.delete(made.id)


def test_memberships(client, organization, team):
    options = models.OrganizationMembershipCreateOptions(email="invited@example.com", teams=[team])
    made = client.organization_memberships.create(organization, options)
    assert (made.status.value, made.email) == ("invited", "invited@example.com")
    include = models.OrganizationMembershipReadOptions(include=["user"])
    read = client.organization_memberships.read_with_options(made.id, include)
    assert read.user.id == made.user.id
    assert made.id in ids(client.organization_memberships.list(organization))
    client.teams.remove_organization_memberships(team.id, [made.id])
    client.teams.add_organization_memberships(team.id, [made.id])
    assert ids(client.teams.list_organization_memberships(team.id, status="invited")) == [made.id]
    client.organization_memberships.delete(made.id)
    with pytest.raises(errors.NotFound):
        client.organization_memberships.read(made.id)


def test_team_tokens(client, organization, team):
    made = client.team_tokens.create(team.id)
    assert made.token
    assert client.team_tokens.read(team.id).id == made.id
    named = client.team_tokens.create_with_options(team.id, models.TeamTokenCreateOptions(description="ci"))
    assert {made.id, named.id} <= set(ids(client.team_tokens.list(organization)))
    client.team_tokens.delete_by_id(named.id)
    client.team_tokens.delete(team.id)


def test_team_access(client, organization, team, project, workspace):
    to_workspace = client.team_workspace_accesses.add(
        models.TeamWorkspaceAccessAddOptions(team_id=team.id, workspace_id=workspace.id, access="read")
    )
    change = models.TeamWorkspaceAccessUpdateOptions(access="write")
    assert client.team_workspace_accesses.update(to_workspace.id, change).access.value == "write"
    assert ids(client.team_workspace_accesses.list(workspace.id)) == [to_workspace.id]
    client.team_workspace_accesses.remove(to_workspace.id)
    to_project = client.team_project_accesses.add(
        models.TeamProjectAccessAddOptions(team=team, project=project, access="read")
    )
    change = models.TeamProjectAccessUpdateOptions(access="write")
    assert client.team_project_accesses.update(to_project.id, change).access.value == "write"
    of = models.TeamProjectAccessListOptions(project_id=project.id)
    assert ids(client.team_project_accesses.list(of)) == [to_project.id]
    client.team_project_accesses.remove(to_project.id)


def test_variable_sets(client, organization, project, workspace):
    sets = client.variable_sets
    made = sets.create(organization, models.VariableSetCreateOptions(name="shared", global_=False))
    assert sets.update(made.id, models.VariableSetUpdateOptions(description="All")).description == "All"
    assert made.id in ids(sets.list(organization))
    sets.apply_to_workspaces(made.id, models.VariableSetApplyToWorkspacesOptions(workspaces=[workspace]))
    sets.apply_to_projects(made.id, models.VariableSetApplyToProjectsOptions(projects=[project]))
    assert ids(sets.list_for_workspace(workspace.id)) == [made.id]
    assert ids(sets.list_for_project(project.id)) == [made.id]
    variables = client.variable_set_variables
    one = variables.create(made.id, models.VariableSetVariableCreateOptions(key="a", value="1", category="env"))
    assert variables.update(made.id, one.id, models.VariableSetVariableUpdateOptions(value="2")).value == "2"
    assert ids(variables.list(made.id)) == [one.id]
    variables.delete(made.id, one.id)
    sets.remove_from_workspaces(made.id, models.VariableSetRemoveFromWorkspacesOptions(workspaces=[workspace]))
    sets.remove_from_projects(made.id, models.VariableSetRemoveFromProjectsOptions(projects=[project]))
    sets.update_workspaces(made.id, models.VariableSetUpdateWorkspacesOptions(workspaces=[workspace]))
    assert ids(sets.list_for_workspace(workspace.id)) == [made.id]
    sets.delete(made.id)


def test_agent_pools(client, organization, project, workspace):
    pools = client.agent_pools
    made = pools.create(organization, models.AgentPoolCreateOptions(name="racks", organization_scoped=False))
    assert pools.update(made.id, models.AgentPoolUpdateOptions(name="racks-2")).name == "racks-2"
    assert pools.read(made.id).name == "racks-2"
    assert made.id in ids(pools.list(organization))
    pools.assign_to_workspaces(made.id, models.AgentPoolAssignToWorkspacesOptions(workspace_ids=[workspace.id]))
    pools.assign_to_projects(made.id, models.AgentPoolAssignToProjectsOptions(project_ids=[project.id]))
    token = client.agent_tokens.create(made.id, models.AgentTokenCreateOptions(description="rack 7"))
    assert token.token
    assert ids(client.agent_tokens.list(made.id)) == [token.id]
    assert list(client.agents.list(made.id)) == []
    client.agent_tokens.delete(token.id)
    pools.delete(made.id)


def test_oauth(client, organization, project):
    options = models.OAuthClientCreateOptions(
        service_provider="github",
        name="code",
        http_url="https://github.example.com",
        api_url="https://api.github.example.com",
        oauth_token="dummy",
    )
    made = client.oauth_clients.create(organization, options)
    assert client.oauth_clients.read(made.id).name == "code"
    assert client.oauth_clients.update(made.id, models.OAuthClientUpdateOptions(name="other")).name == "other"
    assert ids(client.oauth_clients.list(organization)) == [made.id]
    projects = [{"type": "projects", "id": project.id}]
    client.oauth_clients.add_projects(made.id, models.OAuthClientAddProjectsOptions(projects=projects))
    client.oauth_clients.remove_projects(made.id, models.OAuthClientRemoveProjectsOptions(projects=projects))
    [token] = client.oauth_tokens.list(organization)
    assert client.oauth_tokens.read(token.id).id == token.id
    client.oauth_tokens.delete(token.id)
    client.oauth_clients.delete(made.id)


def test_reserved_tag_keys(client, organization):
    keys = client.reserved_tag_key
    made = keys.create(organization, models.ReservedTagKeyCreateOptions(key="cost", disable_overrides=False))
    assert keys.update(made.id, models.ReservedTagKeyUpdateOptions(key="costs")).key == "costs"
    assert ids(keys.list(organization)) == [made.id]
    keys.delete(made.id)


def test_user(client):
    me = client.users.read_current()
    assert client.users.read(me.id).username == me.username
    assert client.users.update_current(models.UserUpdateCurrentOptions(username=me.username)).id == me.id
