/** A parsed object of a body. */
type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Removes members without meaning from the resources of a body, in place: attributes and relationships that are null,
 * and relationships whose value is null or has no `data`. Clients that send back a resource as they have read it have
 * such members, and HCP Terraform ignores them. A relationship with `data: null` clears the relationship and stays.
 */
export function removeEmptyMembers(body: unknown): void {
  if (!isObject(body)) return;
  for (const resource of [body.data].flat()) if (isObject(resource)) removeOf(resource);
}

function removeOf(resource: Members): void {
  for (const member of ['attributes', 'relationships']) if (resource[member] === null) delete resource[member];
  const { relationships } = resource;
  if (!isObject(relationships)) return;
  for (const [name, related] of Object.entries(relationships)) {
    if (related === null || (isObject(related) && !('data' in related))) delete relationships[name];
  }
}
