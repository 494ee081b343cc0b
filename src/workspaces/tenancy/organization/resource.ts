import { Type } from 'typebox';
import { nullable, nullableEnum, text } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  link,
  membersOf,
  optional,
  relationship,
  required,
  resourceOf,
  time,
  toOne,
} from '../../resource/index.ts';
import { ORGANIZATION_PERMISSIONS } from '../permissions/organization.ts';
import { ENGINES } from './engine.ts';
import { EXECUTION_MODES } from './execution-mode.ts';
import { FORK_PLANS, type OrganizationView } from './organization.ts';
import { retentionRelationship } from './retention-relationship.ts';

const POLICIES = ['password', 'two_factor_mandatory'] as const;
const flag = optional(nullable(Type.Boolean()));
/** Up to one year. */
const minutes = optional(nullable(Type.Integer({ minimum: 1, maximum: 525_600 })));

const settings = membersOf<OrganizationView>()((organization) => organization.settings);

const pathOf = ({ name }: OrganizationView) => `/api/v2/organizations/${name}`;
const no = attribute(is.flag, (_: OrganizationView) => false);

/** An organization. Clients know it by its name, so the name is its id in the API, as in HCP Terraform. */
export const OrganizationResource = resourceOf<OrganizationView>()('organizations', {
  attributes: {
    name: attribute(is.text, 'name', required(text(90))),
    email: attribute(is.text, 'email', required(text(254))),
    ...settings(is.flag, ['aggregated-commit-status-enabled', 'assessments-enforced', 'cost-estimation-enabled'], flag),
    ...settings(is.flag, ['enforce-hyok', 'max-ttl-enabled', 'plan-merge-result', 'pull-request-comments'], flag),
    ...settings(is.flag, ['registry-monorepo-support-enabled'], flag),
    ...settings(is.flag, ['send-passing-statuses-for-untriggered-speculative-plans'], flag),
    ...settings(is.flag, ['speculative-plan-management-enabled', 'stacks-enabled'], flag),
    ...settings(Type.Enum([...POLICIES]), ['collaborator-auth-policy'], optional(nullableEnum(POLICIES))),
    ...settings(Type.Enum([...FORK_PLANS]), ['fork-plans'], optional(nullableEnum(FORK_PLANS))),
    ...settings(is.textOrNull, ['owners-team-saml-role-id'], optional(nullable(text(255)))),
    ...settings(is.integerOrNull, ['session-remember', 'session-timeout'], minutes),
    'allow-force-delete-workspaces': attribute(is.flag, ({ allowForceDelete }) => allowForceDelete === 1, flag),
    'default-engine': attribute(Type.Enum([...ENGINES]), 'defaultEngine', optional(nullableEnum(ENGINES))),
    'default-execution-mode': attribute(
      Type.Enum([...EXECUTION_MODES]),
      'defaultExecutionMode',
      optional(nullableEnum(EXECUTION_MODES)),
    ),
    'user-tokens-enabled': attribute(is.flag, ({ userTokensEnabled }) => userTokensEnabled === 1, flag),
    'external-id': attribute(is.text, 'id'),
    'created-at': time('createdAt'),
    'recoverable-items-enabled': attribute(is.flag, 'recoversWorkspaces'),
    // There is no two-factor authentication.
    'two-factor-conformant': attribute(
      is.flag,
      (organization) => organization.settings['collaborator-auth-policy'] === 'password',
    ),
    permissions: attribute(is.flags(ORGANIZATION_PERMISSIONS), 'permissions'),
    // Features of HCP Terraform that do not exist here: SAML single sign-on, paid plans, trials.
    'is-unified': no,
    'fair-run-queuing-enabled': no,
    'plan-expired': no,
    'plan-expires-at': attribute(is.timeOrNull, () => null),
    'plan-is-trial': no,
    'plan-is-enterprise': attribute(is.flag, () => true),
    // Number of further workspaces that may have tests. Official clients require more than one.
    'remaining-testable-count': attribute(is.integer, () => 5),
    'saml-enabled': no,
    'trial-expires-at': attribute(is.timeOrNull, () => null),
  },
  relationships: {
    'authentication-token': link((organization) => `${pathOf(organization)}/authentication-token`),
    'data-retention-policy': relationship(Type.Optional(is.toOne()), retentionPolicy),
    'default-agent-pool': toOne('agent-pools', 'defaultAgentPoolId'),
    'default-project': toOne('projects', 'defaultProjectId'),
    'entitlement-set': link((organization) => `${pathOf(organization)}/entitlement-set`),
    'oauth-tokens': link((organization) => `${pathOf(organization)}/oauth-tokens`),
  },
  id: ({ name }) => name,
  links: (organization) => ({ self: pathOf(organization) }),
});

/** Omits the relationship if there is no policy: clients load the policy whenever the relationship exists. */
function retentionPolicy({ name, retentionPolicy: policy }: OrganizationView) {
  if (!policy) return;
  const [type = '', id = ''] = policy.split('/');
  return retentionRelationship({ type: 'organizations', id: name }, { type, id });
}
