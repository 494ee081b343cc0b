import { Type } from 'typebox';
import { toOne } from '../../jsonapi/document.ts';
import { nullable, text, timestamp } from '../../jsonapi/schema.ts';
import { attribute, is, relationship, resourceOf, time, timeOrNull } from '../../resource/index.ts';
import type { Token } from './store.ts';

/** A token of any kind. Its text is given only for a new token. */
export const TokenResource = resourceOf<Token, [text?: string]>()('authentication-tokens', {
  attributes: {
    // Null except in the response that creates the token.
    token: attribute(is.textOrNull, (_, secret) => secret ?? null),
    description: attribute(
      is.textOrNull,
      ({ teamId, onlyOne, description }) => (teamId !== null && onlyOne === 1 ? null : description),
      { create: Type.Optional(nullable(text(255))) },
    ),
    'created-at': time('createdAt'),
    'last-used-at': timeOrNull('lastUsedAt'),
    'expired-at': timeOrNull('expiresAt', { create: Type.Optional(nullable(timestamp)) }),
  },
  relationships: {
    'created-by': relationship(is.toOne(), ({ createdBy, createdByTeam }) =>
      createdBy === null ? toOne('teams', createdByTeam) : toOne('users', createdBy),
    ),
    team: relationship(Type.Optional(is.toOne('teams')), ({ teamId }) =>
      teamId === null ? undefined : toOne('teams', teamId),
    ),
    organization: relationship(Type.Optional(is.toOne('organizations')), ({ organizationName }) =>
      organizationName === null ? undefined : toOne('organizations', organizationName),
    ),
  },
});
