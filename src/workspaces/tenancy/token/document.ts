import { isoTime } from '../../../lib/clock.ts';
import { type Relationship, type Resource, toOne } from '../../jsonapi/document.ts';
import type { Token } from './store.ts';
import type { TtlPolicy } from './ttl-policies.ts';

/** Converts a token of any kind. `text` is given only for a new token. */
export function tokenResource(token: Token, text: string | null = null): Resource {
  return {
    id: token.id,
    type: 'authentication-tokens',
    attributes: {
      token: text,
      description: token.teamId !== null && token.onlyOne === 1 ? null : token.description,
      'created-at': isoTime(token.createdAt),
      'last-used-at': time(token.lastUsedAt),
      'expired-at': time(token.expiresAt),
    },
    relationships: {
      'created-by': madeBy(token),
      ...(token.teamId === null ? {} : { team: toOne('teams', token.teamId) }),
      ...(token.organizationName === null ? {} : { organization: toOne('organizations', token.organizationName) }),
    },
  };
}

function madeBy({ createdBy, createdByTeam }: Token): Relationship {
  return createdBy === null ? toOne('teams', createdByTeam) : toOne('users', createdBy);
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

/** Converts the maximum lifetime of one kind of tokens. */
export function ttlPolicyResource({ id, tokenType, maxTtl, createdAt, updatedAt }: TtlPolicy): Resource {
  return {
    id,
    type: 'organization-token-ttl-policies',
    attributes: {
      'token-type': tokenType,
      'max-ttl-ms': maxTtl,
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(updatedAt),
    },
  };
}
