import type { PageGroup } from '../../support/console.ts';

const pages: PageGroup = {
  name: 'audit log, health and users',
  prepare: async ({ server, clients }) => {
    const { users } = server.application.workspaces.tenancy;
    await users.setSiteAdmin('first', true);
    await users.create({ username: `a${'long'.repeat(14)}`, email: `${'someone'.repeat(12)}@example.com` });
    const certificate = clients.issue({ subject: 'box-1.example.com', dns: ['box-1.example.com'] });
    await server.root('POST', '/v1/auth/cert/certs/narrow', {
      certificate: clients.pem,
      allowed_common_names: '*.example.org',
    });
    const { headers } = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'narrow' } });
    return [
      '/~server/health',
      '/~server/health?last=1h',
      '/~server/users',
      '/~server/users?name=nobody-of-that-name',
      '/~server/audit',
      '/~server/audit?actor=nobody-of-that-name',
      `/~server/audit?status=4xx&record=${headers['x-request-id']}`,
    ];
  },
};

export default pages;
