import { type Static, Type } from 'typebox';
import { nullable, nullableEnum, resourceBody, text } from '../../jsonapi/schema.ts';
import { ENGINES } from './engine.ts';
import { EXECUTION_MODES } from './execution-mode.ts';
import { FORK_PLANS } from './organization.ts';
import type { OrganizationInput } from './rules.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
/** Up to one year. */
const minutes = Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 525_600 })));

const settings = {
  'aggregated-commit-status-enabled': flag,
  'assessments-enforced': flag,
  'collaborator-auth-policy': Type.Optional(nullableEnum(['password', 'two_factor_mandatory'])),
  'cost-estimation-enabled': flag,
  'enforce-hyok': flag,
  'fork-plans': Type.Optional(nullableEnum(FORK_PLANS)),
  'max-ttl-enabled': flag,
  'owners-team-saml-role-id': Type.Optional(nullable(text(255))),
  'plan-merge-result': flag,
  'pull-request-comments': flag,
  'registry-monorepo-support-enabled': flag,
  'send-passing-statuses-for-untriggered-speculative-plans': flag,
  'session-remember': minutes,
  'session-timeout': minutes,
  'speculative-plan-management-enabled': flag,
  'stacks-enabled': flag,
};
const attributes = {
  ...settings,
  'allow-force-delete-workspaces': flag,
  'default-engine': Type.Optional(nullableEnum(ENGINES)),
  'default-execution-mode': Type.Optional(nullableEnum(EXECUTION_MODES)),
  'user-tokens-enabled': flag,
};
const relationships = {
  'default-agent-pool': Type.Optional(Type.Object({ data: nullable(Type.Object({ id: text(100) })) })),
};
const name = text(90);
const email = text(254);

export const CreateOrganization = resourceBody(
  'organizations',
  Type.Object({ name, email, ...attributes }),
  relationships,
);
export const UpdateOrganization = resourceBody(
  'organizations',
  Type.Optional(Type.Object({ name: Type.Optional(name), email: Type.Optional(email), ...attributes })),
  relationships,
);

/** Converts the request body. The rules ignore settings with other names. */
export function organizationInput(data: Static<typeof UpdateOrganization>['data']): OrganizationInput {
  const { name: named, email: address, ...rest } = data.attributes ?? {};
  const pool = data.relationships?.['default-agent-pool'];
  return {
    name: named,
    email: address,
    execution: {
      mode: rest['default-execution-mode'],
      agentPoolId: pool === undefined ? undefined : (pool.data?.id ?? null),
    },
    defaultEngine: rest['default-engine'],
    allowForceDelete: rest['allow-force-delete-workspaces'],
    userTokensEnabled: rest['user-tokens-enabled'],
    settings: rest,
  };
}
