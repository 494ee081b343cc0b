import { text } from '../../jsonapi/schema.ts';
import { attribute, is, required, resourceOf } from '../../resource/index.ts';
import type { SshKey } from './ssh-keys.ts';

/** An SSH key, without its value. */
export const SshKeyResource = resourceOf<SshKey>()('ssh-keys', {
  attributes: {
    name: attribute(is.text, 'name', required(text(255))),
    value: required(text(65_536)),
  },
  links: ({ id }) => ({ self: `/api/v2/ssh-keys/${id}` }),
});
