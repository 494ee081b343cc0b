import { generateKeyPairSync } from 'node:crypto';

/** A private SSH key in the stored form. */
export const privateKey = newPrivateKey();

/** Another private key. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}
