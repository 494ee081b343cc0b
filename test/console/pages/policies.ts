import type { PageGroup } from '../support/console.ts';

const HOSTILE = '<script>alert(1)</script> \u202egnirts';
const TEXT = `# May manage roles. ${HOSTILE}
path "auth/cert/certs/*" {
  capabilities = ["read", "update"]
}
path "auth/cert/certs/prod*" {
  capabilities = ["deny"]
}
path "a+/b" {
  capabilities = ["read"]
}
`;

const pages: PageGroup = {
  name: 'policies, tokens, identities',
  prepare: async ({ server, clients }) => {
    const long = 'n'.repeat(90);
    for (const name of ['role-admin', `team/${long}`])
      await server.root('PUT', `/v1/sys/policies/acl/${encodeURIComponent(name)}`, { policy: TEXT });
    const made = await server.root('POST', '/v1/auth/token/create', {
      policies: ['role-admin', `team/${long}`],
      display_name: HOSTILE,
      meta: { note: HOSTILE },
      ttl: '1h',
    });
    const { accessor, client_token: token } = made.body.auth;
    await server.call('POST', '/v1/auth/token/create', { token, body: { ttl: '10m' } });
    await server.root('POST', '/v1/auth/token/roles/deployers', { allowed_policies: ['role-admin'] });
    const client = clients.issue({ subject: 'laptop-7' });
    const { body } = await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: {} });
    const entity = body.auth.entity_id;
    const group = await server.root('POST', '/v1/identity/group', { name: HOSTILE, member_entity_ids: [entity] });
    const question = 'path=auth/cert/certs/prod-1&capability=update';
    return [
      '/~access/policies',
      '/~access/policies?q=nothing-like-it',
      `/~access/policies/acl/role-admin?${question}&with=default&tests=read:auth/cert/certs/web,read:sys/seal`,
      `/~access/policies/acl/${encodeURIComponent(`team/${long}`)}`,
      '/~access/policies/acl/root',
      '/~access/policies/new',
      '/~access/policies/explain',
      `/~access/policies/explain?${question}&accessor=${accessor}`,
      '/~access/tokens',
      `/~access/tokens/${accessor}`,
      '/~access/tokens/new',
      '/~access/token-roles',
      '/~access/token-roles/role/deployers',
      '/~access/token-roles/new',
      '/~access/leases',
      '/~access/leases?prefix=auth/token/create/',
      '/~access/wrapping',
      '/~access/identities',
      `/~access/identities/entity/${entity}`,
      '/~access/identities/groups',
      `/~access/identities/group/${group.body.data.id}`,
    ];
  },
};

export default pages;
