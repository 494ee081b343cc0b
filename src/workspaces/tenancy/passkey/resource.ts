import { text } from '../../jsonapi/schema.ts';
import { attribute, is, resourceOf, time, timeOrNull, toOne } from '../../resource/index.ts';
import type { Passkey } from './passkeys.ts';

/** A passkey. HCP Terraform does not have it. */
export const PasskeyResource = resourceOf<Passkey>()('passkeys', {
  attributes: {
    name: attribute(is.text, 'name', { update: text(100) }),
    host: attribute(is.text, 'host'),
    'is-syncable': attribute(is.flag, ({ isSyncable }) => isSyncable === 1),
    'is-synced': attribute(is.flag, ({ isSynced }) => isSynced === 1),
    transports: attribute(is.texts, ({ transports }) => (transports === '' ? [] : transports.split(','))),
    'created-at': time('createdAt'),
    'last-used-at': timeOrNull('lastUsedAt'),
  },
  relationships: { user: toOne('users', 'userId') },
});
