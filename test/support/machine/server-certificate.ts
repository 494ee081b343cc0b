import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Authority } from '../pki.ts';

/** `server.pem` and `server.key` of a server on loopback, in a folder. */
export function writeServerCertificate(authority: Authority, folder: string, subject = 'localhost'): void {
  const { pem, keyPem } = authority.issue({ subject, ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  writeFileSync(join(folder, 'server.pem'), pem);
  writeFileSync(join(folder, 'server.key'), keyPem);
}
