import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';

type Workspace = Resources['workspaces'];

/** Who holds the lock of a workspace, by name where the answer brought them along. Undefined for one that is not locked. */
export function holderOf(
  { attributes, relationships }: Pick<Workspace, 'attributes' | 'relationships'>,
  page: Parameters<typeof related>[0],
): string | undefined {
  if (!attributes.locked) return undefined;
  const holder = relationships['locked-by']?.data;
  const own = attributes['locked-by-name'];
  if (own && holder?.type !== 'teams') return own;
  const name =
    related(page, holder, 'users')?.attributes.username ??
    related(page, holder, 'runs')?.id ??
    related(page, holder, 'teams')?.attributes.name;
  if (name === undefined) return holder ? `${holder.type.replace(/s$/, '')} ${holder.id}` : 'somebody';
  if (holder?.type !== 'teams') return name;
  return own ? `${own} (team ${name})` : `team ${name}`;
}
