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
  return { name: folder, items, notes: [], states: folderStates(folder) };
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
