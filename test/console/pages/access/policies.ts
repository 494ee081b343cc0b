import type { PageGroup } from '../../support/console.ts';

const TEXT = `# May manage roles. <script>alert(1)</script> \u202egnirts
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
  name: 'policies',
  prepare: async ({ server }) => {
    const long = encodeURIComponent(`team/${'n'.repeat(90)}`);
    for (const name of ['role-admin', long]) await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy: TEXT });
    await server.root('POST', '/v1/auth/token/roles/admins', { allowed_policies: ['role-admin'] });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['role-admin'] });
    const question = 'path=auth/cert/certs/prod-1&capability=update';
    return [
      '/~access/policies',
      '/~access/policies?q=nothing-like-it',
      `/~access/policies/acl/role-admin?${question}&with=default&tests=read:auth/cert/certs/web,read:sys/seal`,
      `/~access/policies/acl/${long}`,
      '/~access/policies/acl/root',
      '/~access/policies/new',
      '/~access/policies/explain',
      `/~access/policies/explain?${question}&accessor=${made.body.auth.accessor}`,
    ];
  },
};

export default pages;
