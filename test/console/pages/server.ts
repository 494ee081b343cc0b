import type { PageGroup } from '../support/console.ts';

const pages: PageGroup = {
  name: 'the audit record and health',
  prepare: async ({ server, clients }) => {
    const certificate = clients.issue({ subject: 'box-1.example.com', dns: ['box-1.example.com'] });
    await server.root('POST', '/v1/auth/cert/certs/narrow', {
      certificate: clients.pem,
      allowed_common_names: '*.example.org',
    });
    const { headers } = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'narrow' } });
    return [
      '/~server/health',
      '/~server/health?last=1h',
      '/~server/audit',
      '/~server/audit?actor=nobody-of-that-name',
      `/~server/audit?status=4xx&record=${headers['x-request-id']}`,
    ];
  },
};

export default pages;
