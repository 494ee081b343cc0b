import { type Actor, grantIn, requirePermission } from './actor.ts';
import { type OrganizationPermission, organizationPermissions } from './organization.ts';

/**
 * Checks a permission in the organization of a resource that was found by its own id. One of the permissions is
 * enough.
 * @throws 404
 */
export function requireInOrganization(
  actor: Actor,
  organizationId: string,
  ...permissions: readonly [OrganizationPermission, ...OrganizationPermission[]]
): void {
  const granted = organizationPermissions(grantIn(actor, organizationId));
  requirePermission(granted, permissions.find((permission) => granted[permission]) ?? permissions[0]);
}

/** Like `requireInOrganization`, but returns a boolean. */
export function mayInOrganization(
  actor: Actor,
  organizationId: string,
  ...permissions: readonly OrganizationPermission[]
): boolean {
  const grant = actor.grants.get(organizationId);
  const granted = grant && organizationPermissions(grant);
  return granted !== undefined && permissions.some((permission) => granted[permission]);
}
