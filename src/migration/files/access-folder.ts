import { ACCESS_KINDS, accessKind } from '../access/kinds.ts';
import type { AccessSource } from '../access/migrate.ts';
import { readFolder, writeFolder } from './folder.ts';

/** Reads the configuration that `exportAccess` wrote. */
export async function accessFolder(folder: string): Promise<AccessSource> {
  const items = await readFolder(
    folder,
    'access',
    ACCESS_KINDS.map(({ name }) => name),
  );
  return { name: folder, items, notes: [] };
}

/** Writes the configuration of an access API into a new folder. Returns the number of items. */
export async function exportAccess(folder: string, { items }: AccessSource): Promise<number> {
  await writeFolder(folder, 'access', items, (kind) => accessKind(kind)?.owner);
  return items.length;
}
