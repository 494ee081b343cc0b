import { retentionRelationship } from '../../tenancy/index.ts';
import type { DocumentSource, Part } from '../hooks/hooks.ts';
import type { PolicyInEffect, RetentionPolicies } from './policies.ts';
import { describeRetention } from './policy.ts';

/**
 * Returns the relationships of a workspace to its policy. Without a policy of its own, the relationship is absent,
 * because clients request the policy if it is present.
 */
function retentionPart(id: string, { own, effective }: PolicyInEffect): Part {
  return {
    attributes: {
      'effective-state-version-retention-desc': describeRetention(effective, 'state-versions'),
      'effective-run-data-retention-desc': describeRetention(effective, 'runs'),
    },
    ...(own && { relationships: { 'data-retention-policy': retentionRelationship({ type: 'workspaces', id }, own) } }),
  };
}

/** Document source for a page of workspaces, and for one. */
export function retentionParts(policies: RetentionPolicies): DocumentSource {
  return {
    async of(workspaces) {
      const inEffect = await policies.concerning(workspaces);
      return new Map([...inEffect].map(([id, policy]) => [id, retentionPart(id, policy)]));
    },
    async prefetch(id) {
      const policy = await policies.concerningOne(id);
      return async () => policy && retentionPart(id, policy);
    },
  };
}
