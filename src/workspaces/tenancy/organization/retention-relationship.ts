import { type Identifier, linked, type Relationship } from '../../jsonapi/document.ts';

/** What the document of a target points with. Clients read the type before they ask for the policy. */
export function retentionRelationship(target: Identifier, { type, id }: Identifier): Relationship {
  return { data: { type, id }, ...linked(`/api/v2/${target.type}/${target.id}/relationships/data-retention-policy`) };
}
