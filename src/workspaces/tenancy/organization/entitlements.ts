import { attribute, is, resourceOf } from '../../resource/index.ts';
import type { Organization } from './organization.ts';

/** Features of HCP Terraform, and whether this server has them. */
const FEATURES: Readonly<Record<string, boolean>> = {
  agents: true,
  'audit-logging': true,
  'configuration-designer': false,
  'cost-estimation': false,
  'global-run-tasks': true,
  infragraph: false,
  'infragraph-with-nrtu': false,
  'module-tests-generation': false,
  'policy-enforcement': false,
  'private-module-registry': false,
  'private-policy-agents': false,
  'private-run-tasks': false,
  // Agents forward requests to a VCS provider.
  'private-vcs': true,
  'run-tasks': true,
  'self-serve-billing': false,
  sentinel: false,
  sso: true,
  'state-storage': true,
  teams: true,
  'usage-reporting': false,
  'vcs-integrations': true,
  'waypoint-actions': false,
  'waypoint-templates-and-addons': false,
};

/** Limits of HCP Terraform's plans. The limits of this server are in docs/reference/limits.md. */
const LIMITS = [
  'policy-limit',
  'policy-mandatory-enforcement-limit',
  'policy-set-limit',
  'run-task-limit',
  'run-task-mandatory-enforcement-limit',
  'run-task-workspace-limit',
  'user-limit',
  'versioned-policy-set-limit',
];

const feature = ([name, has]: readonly [string, boolean]) =>
  [name, attribute(is.flag, (_: Organization) => has)] as const;
const unlimited = attribute(is.integerOrNull, (_: Organization) => null);

/**
 * The features that the server offers. `executes`: whether the server executes runs. If false, `tofu` and `terraform`
 * execute everything locally.
 */
export const EntitlementSetResource = resourceOf<Organization, [executes: boolean]>()('entitlement-sets', {
  attributes: {
    ...Object.fromEntries(Object.entries(FEATURES).map(feature)),
    operations: attribute(is.flag, (_, executes) => executes),
    ...Object.fromEntries(LIMITS.map((name) => [name, unlimited])),
  },
  links: ({ name }) => ({ self: `/api/v2/organizations/${name}/entitlement-set` }),
});
