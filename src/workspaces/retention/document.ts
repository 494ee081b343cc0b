import { type Identifier, linked, type Relationship, type Resource } from '../jsonapi/document.ts';
import type { RetentionPolicy } from './policy.ts';
import { camelCase } from './rules.ts';

/** A policy, with each attribute in both spellings that clients read. */
export function retentionPolicyResource({
  id,
  type,
  settings,
  workspaceId,
  organizationName,
}: RetentionPolicy): Resource {
  const both = Object.entries(settings).flatMap(([name, value]) => [
    [name, value],
    [camelCase(name), value],
  ]);
  const target =
    workspaceId === null ? { type: 'organizations', id: organizationName } : { type: 'workspaces', id: workspaceId };
  return {
    id,
    type,
    attributes: Object.fromEntries(both),
    relationships: { target: { data: target, ...linked(`/api/v2/${target.type}/${target.id}`) } },
  };
}

/** What the document of a target points with. Clients read the type before they ask for the policy. */
export function retentionRelationship(target: Identifier, policy: Identifier): Relationship {
  return { data: policy, ...linked(`/api/v2/${target.type}/${target.id}/relationships/data-retention-policy`) };
}
