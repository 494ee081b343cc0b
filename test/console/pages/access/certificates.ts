import { createRoot } from '../../../support/pki.ts';
import type { PageGroup } from '../../support/console.ts';

const pages: PageGroup = {
  name: 'certificates, roles and CRLs',
  prepare: async ({ server, clients }) => {
    const old = createRoot({ subject: 'Old CA' });
    const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-08T00:00:00Z')];
    const lists = { fresh: clients.crl({ revoked: [1n, 2n] }), old: old.crl({ thisUpdate: from, nextUpdate: to }) };
    for (const [name, { pem }] of Object.entries(lists)) {
      await server.root('POST', `/v1/auth/cert/crls/${name}`, { crl: pem });
    }
    await server.root('POST', '/v1/auth/cert/certs/narrow', {
      certificate: clients.pem,
      allowed_dns_sans: '*.prod.example',
      token_policies: 'default',
    });
    await server.root('POST', '/v1/sys/auth/empty', { type: 'cert' });
    return [
      '/~access/inspect',
      '/~access/roles',
      '/~access/roles?mount=empty',
      '/~access/roles/narrow',
      '/~access/roles/~new',
      '/~access/revocation-lists',
      '/~access/revocation-lists?serial=2',
      '/~access/revocation-lists?mount=empty',
      '/~access/mounts',
      '/~access/mounts?mount=empty',
      '/~access/mounts?mount=none',
    ];
  },
};

export default pages;
