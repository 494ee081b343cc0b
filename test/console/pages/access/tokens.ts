import type { PageGroup } from '../../support/console.ts';

const HOSTILE = '<script>alert(1)</script> \u202egnirts';

const pages: PageGroup = {
  name: 'tokens, identities',
  prepare: async ({ server, clients }) => {
    const long = `team/${'n'.repeat(90)}`;
    await server.root('PUT', `/v1/sys/policies/acl/${encodeURIComponent(long)}`, { policy: 'path "a" {}' });
    const made = await server.root('POST', '/v1/auth/token/create', {
      policies: ['default', long],
      display_name: HOSTILE,
      meta: { note: HOSTILE },
      ttl: '1h',
    });
    const { accessor } = made.body.auth;
    await server.root('POST', '/v1/auth/token/roles/deployers', { allowed_policies: [long] });
    const client = clients.issue({ subject: 'laptop-7' });
    const { body } = await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: {} });
    const entity = body.auth.entity_id;
    const group = await server.root('POST', '/v1/identity/group', { name: HOSTILE, member_entity_ids: [entity] });
    return [
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
