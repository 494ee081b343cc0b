import { expect } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { archive } from '../../../../support/samples/archive.ts';
import { newInstallation } from '../github-app.ts';
import { identify, type TestOrganization } from '../organization.ts';
import { base64, versionBody } from '../states.ts';
import {
  AGENT,
  accessBody,
  approvalRule,
  COMMENT,
  explorerView,
  notification,
  OAUTH_CLIENT,
  PIPELINE,
  PROVIDER,
  plan,
  RETENTION,
  resource,
  runTask,
  STATE,
  schedule,
  sshKey,
  TOKEN,
  tags,
  trigger,
  variable,
  workspaceTask,
} from './bodies.ts';
import type { Values } from './expectation.ts';

const insertRepository = sql<{ id: string; organization: string; tokenId: string }>(
  `INSERT INTO vcs_repository (id, organization_id, connection_id, oauth_token_id, provider_id, identifier,
     display_identifier, http_url, git_url, is_private, health, health_since, described_at, created_at, target)
   SELECT :id, id, :tokenId, :tokenId, '1', 'acme/infra', 'acme/infra', 'https://git.example.com/acme/infra',
     'https://git.example.com/acme/infra.git', 1, 'ok', 0, 0, 0, 'git.example.com'
   FROM organization WHERE name = :organization`,
);

/** Stores a repository as a look-up at its provider does. */
async function newRepository({ database, name }: TestOrganization, tokenId: string): Promise<string> {
  const id = `vr-${tokenId.slice(3)}`;
  await database?.run(insertRepository, { id, organization: name, tokenId });
  return id;
}

const insertEvent = sql<{ id: string; repositoryId: string; details: string }>(
  `INSERT INTO vcs_event (id, organization_id, repository_id, kind, ref, after_id, details, state, created_at, target)
   SELECT :id, organization_id, id, 'push', 'main', 'ab', :details, 'done', 0, target
   FROM vcs_repository WHERE id = :repositoryId`,
);

/** Stores an event of a repository as a look-up does. */
async function newEvent({ database }: TestOrganization, repositoryId: string): Promise<string> {
  const id = repositoryId.replace(/^vr-/, 've-');
  const details = JSON.stringify({ sender: null, compareUrl: null, pull: null });
  await database?.run(insertEvent, { id, repositoryId, details });
  return id;
}

/** An organization with one of everything. */
export async function oneOfEverything(organization: TestOrganization): Promise<Values> {
  const { owner, name } = organization;
  async function made(path: string, body: object): Promise<string> {
    const answer = await owner.call('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }
  /** Public to all members of the organization. */
  async function team(teamName: string): Promise<string> {
    const body = resource('teams', { name: teamName, visibility: 'organization' });
    return made(`/organizations/${name}/teams`, body);
  }
  const team_id = await team('runners');
  const values = {
    organization_name: name,
    workspace_name: 'one',
    workspace_id: await organization.workspace('one'),
    project_id: organization.defaultProjectId,
    team_id,
    other_team_id: await team('others'),
    machine_identity_id: await identify(owner, team_id, { mount: 'cert', role: `${name}/runner` }),
    pipeline_identity_id: await made(`/teams/${team_id}/pipeline-identities`, PIPELINE),
    user_id: owner.id,
    username: owner.username,
    token_id: await made(`/users/${owner.id}/authentication-tokens`, resource('authentication-tokens')),
  };
  const granted = { ...values, other_team_id: team_id };
  const below = `/organizations/${name}`;
  await made(`${below}/authentication-token`, TOKEN);
  await made(`${below}/sign-in-provider`, PROVIDER);
  await made(`/teams/${team_id}/authentication-token`, TOKEN);
  await made(`/workspaces/${values.workspace_id}/relationships/data-retention-policy`, RETENTION);
  await made(`${below}/relationships/data-retention-policy`, RETENTION);
  await owner.call('POST', `/workspaces/${values.workspace_id}/relationships/tags`, tags);
  const [tag] = (await owner.call('GET', `${below}/tags`)).body.data;
  const oauth_client_id = await made(`${below}/oauth-clients`, OAUTH_CLIENT);
  const [oauthToken] = (await owner.call('GET', `/oauth-clients/${oauth_client_id}/oauth-tokens`)).body.data;
  // The URLs of a connection change only where its provider answers for the repositories.
  const other_oauth_client_id = await made(`${below}/oauth-clients`, OAUTH_CLIENT);
  const [otherToken] = (await owner.call('GET', `/oauth-clients/${other_oauth_client_id}/oauth-tokens`)).body.data;
  await owner.call('DELETE', `/workspaces/${await organization.workspace('gone')}`);
  const [recoverable] = (await owner.call('GET', `${below}/recoverable-items`)).body.data;
  await owner.call('POST', `/workspaces/${values.workspace_id}/actions/lock`);
  const state_version_id = await made(
    `/workspaces/${values.workspace_id}/state-versions`,
    versionBody(STATE, { serial: 1, state: base64(STATE) }),
  );
  await owner.call('POST', `/workspaces/${values.workspace_id}/actions/unlock`);
  const [output] = (await owner.call('GET', `/state-versions/${state_version_id}/outputs`)).body.data;
  const other_workspace_id = await organization.workspace('other');
  const upload = resource('configuration-versions', { 'auto-queue-runs': false });
  const announced = await owner.call('POST', `/workspaces/${other_workspace_id}/configuration-versions`, upload);
  const { pathname } = new URL(announced.body.data.attributes['upload-url']);
  await owner.call('PUT', pathname.replace('/api/v2', ''), archive());
  const run_id = await made('/runs', plan({ other_workspace_id }));
  const comment_id = await made(`/runs/${run_id}/comments`, COMMENT);
  const { relationships: ofRun } = (await owner.call('GET', `/runs/${run_id}`)).body.data;
  const agent_pool_id = await made(`${below}/agent-pools`, resource('agent-pools', { name: 'first' }));
  const agentTokens = `/agent-pools/${agent_pool_id}/authentication-tokens`;
  const agentToken = await owner.call('POST', agentTokens, resource('agent-tokens', { description: 'rack 7' }));
  const { token: agent_token } = agentToken.body.data.attributes;
  const asAgent = { authorization: `Bearer ${agent_token}` };
  const agent = await owner.call('POST', `/agent-pools/${agent_pool_id}/agents`, AGENT, asAgent);
  const task_id = await made(`${below}/tasks`, runTask('first'));
  const attached = `/workspaces/${values.workspace_id}/tasks`;
  const workspace_task_id = await made(attached, workspaceTask({ task_id }));
  const other_task_id = await made(`${below}/tasks`, runTask('other'));
  const varset_id = await made(`${below}/varsets`, resource('varsets', { name: 'first', global: false }));
  const vcs_repository_id = await newRepository(organization, otherToken.id);
  return {
    ...values,
    team_workspace_id: await made(
      '/team-workspaces',
      accessBody('team-workspaces', 'workspace', values.workspace_id, granted),
    ),
    team_project_id: await made('/team-projects', accessBody('team-projects', 'project', values.project_id, granted)),
    other_workspace_id,
    run_id,
    comment_id,
    run_event_id: ofRun['run-events'].data[0].id,
    plan_id: ofRun.plan.data.id,
    job_id: ofRun.plan.data.id,
    apply_id: ofRun.apply.data.id,
    tag_id: tag.id,
    oauth_token_id: oauthToken.id,
    recoverable_item_id: recoverable.id,
    state_version_id,
    output_id: output.id,
    notification_configuration_id: await made(
      `/workspaces/${values.workspace_id}/notification-configurations`,
      notification('first'),
    ),
    approval_rule_id: await made(`/workspaces/${values.workspace_id}/approval-rules`, approvalRule('first')(values)),
    run_trigger_id: await made(
      `/workspaces/${other_workspace_id}/run-triggers`,
      trigger({ other_workspace_id: values.workspace_id }),
    ),
    schedule_id: await made(`/workspaces/${values.workspace_id}/schedules`, schedule('first')),
    project_schedule_id: await made(`/projects/${values.project_id}/schedules`, schedule('first')),
    configuration_version_id: await made(
      `/workspaces/${values.workspace_id}/configuration-versions`,
      resource('configuration-versions', { 'auto-queue-runs': false }),
    ),
    view_id: await made(`${below}/explorer/views`, explorerView('first')),
    set_variable_id: await made(`/varsets/${varset_id}/relationships/vars`, variable('first')),
    task_id,
    other_task_id,
    workspace_task_id,
    empty_project_id: await organization.project('Empty'),
    membership_id: await made(
      `${below}/organization-memberships`,
      resource('organization-memberships', { email: `m@${name}.example.com` }),
    ),
    reserved_key_id: await made(
      `${below}/reserved-tag-keys`,
      resource('reserved-tag-keys', { key: 'first', 'disable-overrides': false }),
    ),
    ssh_key_id: await made(`${below}/ssh-keys`, sshKey('first')),
    agent_pool_id,
    agent_token,
    agent_id: agent.body.data.id,
    oauth_client_id,
    github_app_installation_id: await newInstallation(organization),
    vcs_repository_id,
    vcs_event_id: await newEvent(organization, vcs_repository_id),
    variable_id: await made(`/workspaces/${values.workspace_id}/vars`, variable('first')),
    varset_id,
  };
}
