import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import * as texts from './texts.ts';

type Workspace = Resources['workspaces'];

/** Returns the name of a workspace's lock holder; undefined if the workspace is not locked. */
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
  if (name === undefined) return holder ? `${holder.type.replace(/s$/, '')} ${holder.id}` : texts.unknownHolder;
  if (holder?.type !== 'teams') return name;
  return own ? texts.team(own, name) : texts.team2(name);
}
