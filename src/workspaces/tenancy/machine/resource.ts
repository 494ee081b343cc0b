import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, resourceOf, time, timeOrNull, toOne } from '../../resource/index.ts';
import type { MachineIdentity } from './store.ts';

/** The name has at least one character other than a slash, and only printable characters. */
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^/\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
});

/** A machine identity. HCP Terraform does not have it. */
export const MachineIdentityResource = resourceOf<MachineIdentity>()('machine-identities', {
  attributes: {
    // Name of the team or the agent pool.
    'acts-for': attribute(is.text, 'actsFor'),
    mount: attribute(is.text, 'mount', { create: Name }),
    role: attribute(is.text, 'role', { create: Name }),
    'common-name': attribute(is.textOrNull, ({ commonName }) => (commonName === '' ? null : commonName), {
      create: Type.Optional(nullable(text(255))),
    }),
    'created-at': time('createdAt'),
    'last-used-at': timeOrNull('lastUsedAt'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    team: toOne('teams', 'teamId'),
    'agent-pool': toOne('agent-pools', 'agentPoolId'),
  },
  links: ({ id }) => ({ self: `/api/v2/machine-identities/${id}` }),
});
