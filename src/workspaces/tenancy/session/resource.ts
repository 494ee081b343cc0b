import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { attribute, is, resourceOf, time, toOne } from '../../resource/index.ts';
import type { Session } from './sessions.ts';

/** A session, for the caller whose own session has the id `own`. HCP Terraform does not have it. */
export const SessionResource = resourceOf<Session, [own: string]>()('sessions', {
  attributes: {
    'signed-in-by': attribute(Type.Enum(['token', 'oidc', 'passkey']), 'signedInBy'),
    'is-current': attribute(is.flag, ({ id }, own) => id === own),
    address: attribute(is.text, 'address'),
    browser: attribute(is.text, 'browser'),
    'created-at': time('createdAt'),
    'last-used-at': time('lastUsedAt'),
    'idle-at': attribute(is.time, ({ lastUsedAt, idleMs, expiresAt }) =>
      isoTime(Math.min(lastUsedAt + idleMs, expiresAt)),
    ),
    'expires-at': time('expiresAt'),
  },
  relationships: { user: toOne('users', 'userId') },
});
