import { makeWorkspace, type PageGroup } from '../../support/console.ts';
import { hostile, makeOf } from '../../support/organization.ts';

const pages: PageGroup = {
  name: 'machine identities',
  prepare: async (on) => {
    const make = makeOf(on);
    const { server, clients } = on;
    await server.root('POST', '/v1/auth/cert/certs/builders', {
      certificate: clients.pem,
      allowed_common_names: ['runner-*', hostile],
      token_ttl: '15m',
    });
    const workspace = await makeWorkspace(on, 'reached');
    const team = await make('/organizations/acme/teams', 'teams', { name: 'b'.repeat(90) });
    await make(
      '/team-workspaces',
      'team-workspaces',
      { access: 'write' },
      { team: ['teams', team], workspace: ['workspaces', workspace] },
    );
    const none = await make('/organizations/acme/teams', 'teams', { name: 'without' });
    const pool = await make('/organizations/acme/agent-pools', 'agent-pools', { name: `‮rack ${hostile}` });
    const identity = (of: string, attributes: object) =>
      make(`${of}/machine-identities`, 'machine-identities', { mount: 'cert', ...attributes });
    const open = await identity(`/teams/${team}`, { role: 'builders', 'common-name': 'runner-*' });
    const other = await identity(`/teams/${none}`, { role: 'builders', 'common-name': hostile });
    const ofPool = await identity(`/agent-pools/${pool}`, { role: 'builders', 'common-name': 'agent-*' });
    const gone = await identity(`/teams/${team}`, { role: `${hostile} שלום`, mount: 'nowhere' });
    const page = '/~access/machine-identities';
    return [
      page,
      ...[open, other, ofPool, gone].map((id) => `${page}?identity=${id}`),
      `${page}?mount=cert&role=builders&do=test`,
      `${page}?mount=cert&role=nobody`,
      `${page}?do=add`,
    ];
  },
};

export default pages;
