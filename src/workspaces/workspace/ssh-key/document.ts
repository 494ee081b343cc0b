import type { Resource } from '../../jsonapi/document.ts';
import type { SshKey } from './ssh-keys.ts';

/** Returns the document of a key, without its value. */
export function keyResource({ id, name }: SshKey): Resource {
  return { id, type: 'ssh-keys', attributes: { name }, links: { self: `/api/v2/ssh-keys/${id}` } };
}
