import { newPrivateKey } from '../../../../support/samples/private-key.ts';

/** The attributes of a new SSH key. */
export function sshKey(): { name: string; value: string } {
  return { name: 'key', value: newPrivateKey() };
}
