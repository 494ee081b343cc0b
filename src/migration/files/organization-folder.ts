import { type Item, keyOf } from '../model/item.ts';
import { KINDS, kindNamed } from '../organization/kinds/index.ts';
import type { OrganizationSource } from '../organization/migrate.ts';
import { readFolder, writeFolder } from './folder.ts';
import { exportStates, folderStates } from './state-files.ts';

/** Reads an organization that `exportOrganization` wrote. */
export async function organizationFolder(folder: string): Promise<OrganizationSource> {
  const items = await readFolder(
    folder,
    'organization',
    KINDS.map(({ name }) => name),
  );
  return { name: folder, items: withOwners(items), notes: [], states: folderStates(folder) };
}

/** Leaves out items whose owner has no such items: earlier exports list them. */
function withOwners(items: readonly Item[]): readonly Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return items.filter(({ kind, owner }) => {
    const { owner: ownerKind, isOwner } = kindNamed(kind) ?? {};
    if (ownerKind === undefined || isOwner === undefined) return true;
    return isOwner(byKey.get(keyOf({ kind: ownerKind, owner: '', name: owner }))?.attributes ?? {});
  });
}

/**
 * Writes an organization into a new folder, states first.
 * @returns the number of items and states
 */
export async function exportOrganization(
  folder: string,
  { items, states }: OrganizationSource,
): Promise<{ readonly items: number; readonly states: number }> {
  const workspaces = items.filter(({ kind }) => kind === 'workspaces').map(({ name }) => name);
  const count = await exportStates(folder, workspaces, states);
  await writeFolder(folder, 'organization', items, (kind) => kindNamed(kind)?.owner);
  return { items: items.length, states: count };
}
