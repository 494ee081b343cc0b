import { isoTime } from '../../lib/clock.ts';
import { linked, type Resource, toOne } from '../jsonapi/document.ts';
import type { OrganizationView } from './organizations.ts';

/** Clients know an organization by its name: that is its id on the wire, as in the original. */
export function organizationResource(organization: OrganizationView): Resource {
  const self = `/api/v2/organizations/${organization.name}`;
  return {
    id: organization.name,
    type: 'organizations',
    attributes: {
      name: organization.name,
      'external-id': organization.id,
      email: organization.email,
      'created-at': isoTime(organization.createdAt),
      'default-execution-mode': organization.defaultExecutionMode,
      'allow-force-delete-workspaces': organization.allowForceDelete === 1,
      'collaborator-auth-policy': 'password',
      'cost-estimation-enabled': false,
      'assessments-enforced': false,
      permissions: organization.permissions,
    },
    relationships: {
      'default-project': toOne('projects', organization.defaultProjectId),
      'default-agent-pool': toOne('agent-pools', null),
      'entitlement-set': linked(`${self}/entitlement-set`),
    },
    links: { self },
  };
}

/** What an installation offers. Without `operations`, official command lines run everything on their own side. */
export function entitlementSetResource(organization: OrganizationView): Resource {
  return {
    id: organization.id,
    type: 'entitlement-sets',
    attributes: {
      agents: false,
      'audit-logging': false,
      'cost-estimation': false,
      operations: false,
      'private-module-registry': false,
      'policy-enforcement': false,
      'run-tasks': false,
      sentinel: false,
      sso: false,
      'state-storage': false,
      teams: true,
      'usage-reporting': false,
      'user-limit': null,
      'vcs-integrations': false,
    },
    links: { self: `/api/v2/organizations/${organization.name}/entitlement-set` },
  };
}
