import { generateKeyPairSync } from 'node:crypto';

/** A private key that SSH can use, as it is stored. */
export const privateKey = newPrivateKey();

/** Another one. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
}
