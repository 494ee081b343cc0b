import { Type } from 'typebox';
import { attribute, is, resourceOf, time, toOne } from '../../resource/index.ts';
import type { Organization } from './organization.ts';

/** Limits of HCP Terraform's plans. The limits of this server are in docs/reference/limits.md. */
const LIMITS = [
  'agents-ceiling',
  'contract-apply-limit',
  'contract-managed-resources-limit',
  'contract-user-limit',
  'policy-limit',
  'policy-mandatory-enforcement-limit',
  'policy-set-limit',
  'run-task-limit',
  'run-task-mandatory-enforcement-limit',
  'run-task-workspace-limit',
  'runs-ceiling',
  'versioned-policy-set-limit',
];
const none = attribute(Type.Null(), (_: Organization) => null);

/** The subscription of an organization, for clients of HCP Terraform. It is free and never expires. */
export const SubscriptionResource = resourceOf<Organization>()('subscriptions', {
  attributes: {
    'is-active': attribute(is.flag, () => true),
    'is-public-free-tier': attribute(is.flag, () => false),
    'is-self-serve-trial': attribute(is.flag, () => false),
    'start-at': time('createdAt'),
    'end-at': none,
    ...Object.fromEntries(LIMITS.map((name) => [name, none])),
  },
  relationships: { organization: toOne('organizations', 'name') },
  id: ({ id }) => id.replace('org-', 'sub-'),
  links: ({ name }) => ({ self: `/api/v2/organizations/${name}/subscription` }),
});
