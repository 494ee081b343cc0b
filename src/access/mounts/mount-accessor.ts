import { randomBytes } from 'node:crypto';

/** Returns a random accessor such as `auth_cert_1a2b3c4d`. */
export function newMountAccessor(type: string): string {
  return `auth_${type}_${randomBytes(4).toString('hex')}`;
}
