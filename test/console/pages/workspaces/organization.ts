import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { hostile, makeOf, namedToken } from '../../support/organization.ts';

const pages: PageGroup = {
  name: 'organizations, projects, teams, agents and settings',
  prepare: async (on) => {
    const make = makeOf(on);
    const project = await make('/organizations/acme/projects', 'projects', { name: 'network', description: hostile });
    const team = await make('/organizations/acme/teams', 'teams', {
      name: 'a'.repeat(90),
      'organization-access': { 'manage-workspaces': true },
    });
    await make(`/teams/${team}/authentication-tokens`, 'authentication-tokens', { description: hostile });
    await make(`/teams/${team}/machine-identities`, 'machine-identities', { mount: 'cert', role: 'people' });
    await make(`/teams/${team}/pipeline-identities`, 'pipeline-identities', {
      ...{ description: hostile, issuer: 'https://token.actions.githubusercontent.com', audiences: ['lockkeeper'] },
      claims: { repository_id: '123456789', ref: ['refs/heads/main', hostile] },
    });
    await make(`/teams/${team}/pipeline-identities`, 'pipeline-identities', {
      ...{ issuer: 'https://ci.example.com', audiences: ['lockkeeper'], claims: { sub: 'x'.repeat(300) } },
    });
    await make('/organizations/acme/organization-memberships', 'organization-memberships', { email: 'm@example.com' });
    await make(
      '/team-projects',
      'team-projects',
      { access: 'read' },
      { team: ['teams', team], project: ['projects', project] },
    );
    const pool = await make('/organizations/acme/agent-pools', 'agent-pools', { name: `‮pool ${hostile}`.slice(0, 90) });
    const token = await namedToken(on, `/agent-pools/${pool}/authentication-tokens`, 'first');
    await on.server.call('POST', `/api/v2/agent-pools/${pool}/agents`, {
      token,
      body: { data: { type: 'agents', attributes: { name: hostile, engines: ['tofu 1.11.0'] } } },
    });
    await make('/organizations/acme/reserved-tag-keys', 'reserved-tag-keys', { key: 'env', 'disable-overrides': true });
    await makeWorkspace(on, 'tagged', ['network']);
    await make('/organizations/acme/oauth-clients', 'oauth-clients', {
      name: hostile,
      'service-provider': 'github',
      'http-url': 'https://github.com',
      'api-url': 'https://api.github.com',
      'oauth-token-string': 'token',
    });
    await make('/organizations/acme/tasks', 'tasks', {
      ...{ name: 'cost'.padEnd(90, 'x'), category: 'task', url: 'https://checks.example.com/task', enabled: false },
      'global-configuration': { enabled: true, stages: ['pre_plan', 'post_plan'], 'enforcement-level': 'mandatory' },
    });
    await make('/organizations/acme/sign-in-provider', 'sign-in-providers', {
      ...{ name: hostile, issuer: 'https://id.example.com', 'client-id': hostile, 'client-secret': 'between us' },
      teams: [{ group: hostile, team: 'owners' }],
    });
    for (const scope of ['organizations/acme', `projects/${project}`, `teams/${team}`]) {
      await make(`/${scope}/notification-configurations`, 'notification-configurations', {
        ...{ name: hostile, 'destination-type': 'email', enabled: true, triggers: ['run:errored'] },
        digest: { hour: 8, 'time-zone': 'Europe/Berlin' },
      });
    }
    const settings = [
      '',
      'tokens',
      'sign-in',
      'retention',
      'tags',
      'run-tasks',
      'notifications',
      'ssh-keys',
      'version-control',
      'recoverable',
      'capacity',
      'deletion',
    ];
    return [
      '/acme/explorer',
      '/acme/explorer?type=tf_versions&where=workspace_count%20gteq%201&sort=-version',
      '/acme/explorer?where=workspace_name%20is%20nothing',
      '/acme/projects',
      `/acme/projects/${project}`,
      `/acme/projects/${project}/access`,
      `/acme/projects/${project}/schedules`,
      `/acme/projects/${project}/settings`,
      '/acme/teams',
      `/acme/teams/${team}`,
      `/acme/teams/${team}/pipelines`,
      `/acme/teams/${team}/pipelines?in=gitlab`,
      '/acme/members',
      '/acme/agents',
      `/acme/agents/${pool}`,
      ...settings.map((part) => `/acme/settings${part && `/${part}`}`),
      '/~account',
    ];
  },
};

export default pages;
