import { type Identifier, linked, type Relationship } from '../../jsonapi/document.ts';

/** Returns the relationship to a retention policy. Clients read its type before they load the policy. */
export function retentionRelationship(target: Identifier, { type, id }: Identifier): Relationship {
  return { data: { type, id }, ...linked(`/api/v2/${target.type}/${target.id}/relationships/data-retention-policy`) };
}
