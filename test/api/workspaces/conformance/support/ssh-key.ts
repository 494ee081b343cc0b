import { generateKeyPairSync } from 'node:crypto';

/** The attributes of a new SSH key. */
export function sshKey(): { name: string; value: string | Buffer } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { name: 'key', value: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}
