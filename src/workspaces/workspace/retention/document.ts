import { type Identifier, linked, type Relationship, type Resource } from '../../jsonapi/document.ts';
import type { Part } from '../hooks.ts';
import type { PolicyInEffect } from './policies.ts';
import { describeRetention, type RetentionPolicy } from './policy.ts';
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
export function retentionRelationship(target: Identifier, { type, id }: Identifier): Relationship {
  return { data: { type, id }, ...linked(`/api/v2/${target.type}/${target.id}/relationships/data-retention-policy`) };
}

/**
 * What the document of a workspace says about its policy. One without a policy of its own has no such relationship at
 * all: clients ask for the policy when there is one.
 */
export function retentionPart(id: string, { own, effective }: PolicyInEffect): Part {
  return {
    attributes: {
      'effective-state-version-retention-desc': describeRetention(effective, 'state-versions'),
      'effective-run-data-retention-desc': describeRetention(effective, 'runs'),
    },
    ...(own && { relationships: { 'data-retention-policy': retentionRelationship({ type: 'workspaces', id }, own) } }),
  };
}
