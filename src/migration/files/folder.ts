import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { MigrationError } from '../model/errors.ts';
import type { Item } from '../model/item.ts';
import { fileName } from './file-names.ts';

/** Version of the format of the files. */
const FORMAT = 1;
const ABOUT = 'lockkeeper.yaml';
/** @limit a file of an exported item, bytes -> the import stops */
const MAX_FILE = 33_554_432;

/** Content of a folder: an organization, or the configuration of the access API. */
export type Content = 'organization' | 'access';

/** Item in a file: without its owner, which the file has. */
interface ItemForm {
  readonly name: string;
  readonly attributes?: Item['attributes'];
  readonly links?: Item['links'];
}

/** An item with those that it owns, by their kinds. */
interface FileForm extends ItemForm {
  readonly kind: string;
  readonly owns?: Readonly<Record<string, readonly ItemForm[]>>;
}

/**
 * Writes items as YAML files, one for each item without an owner; those that it owns are in its file.
 * @param ownerKindOf kind of the owner of a kind; undefined without one
 * @throws MigrationError if the folder is not empty
 */
export async function writeFolder(
  folder: string,
  content: Content,
  items: readonly Item[],
  ownerKindOf: (kind: string) => string | undefined,
): Promise<void> {
  await prepare(folder);
  const owned = Map.groupBy(
    items.filter(({ kind }) => ownerKindOf(kind) !== undefined),
    ({ kind, owner }) => JSON.stringify([ownerKindOf(kind), owner]),
  );
  for (const item of items.filter(({ kind }) => ownerKindOf(kind) === undefined)) {
    const children = owned.get(JSON.stringify([item.kind, item.name])) ?? [];
    const file: FileForm = { kind: item.kind, ...formOf(item), ...ownsOf(children) };
    await writeNew(join(folder, item.kind, `${fileName(item.name)}.yaml`), stringify(file));
  }
  // Written last: a folder without it is incomplete.
  await writeNew(join(folder, ABOUT), stringify({ format: FORMAT, content }));
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = (await readdir(folder)).filter((name) => name !== 'states');
  if (there.length > 0) throw new MigrationError('invalid', `${folder} is not empty; choose a new folder`);
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
}

function formOf({ name, attributes, links }: Item): ItemForm {
  return {
    name,
    ...(Object.keys(attributes).length > 0 && { attributes: sorted(attributes) }),
    ...(Object.keys(links).length > 0 && { links: sorted(links) }),
  };
}

function ownsOf(children: readonly Item[]): Pick<FileForm, 'owns'> {
  if (children.length === 0) return {};
  const kinds = Map.groupBy(children, ({ kind }) => kind);
  const forms = [...kinds].map(([kind, items]): [string, ItemForm[]] => [kind, items.toSorted(byName).map(formOf)]);
  return { owns: Object.fromEntries(forms) };
}

const byName = (one: Item, other: Item): number => (one.name < other.name ? -1 : 1);

/** Sorts members, so that two exports of equal items are equal. */
function sorted<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Reads the items of an exported folder.
 * @param kinds all kinds, in the order in which they are applied
 * @throws MigrationError for a folder or a file of another form
 */
export async function readFolder(folder: string, content: Content, kinds: readonly string[]): Promise<readonly Item[]> {
  const about = (await fileIn(join(folder, ABOUT))) as { format?: unknown; content?: unknown } | null;
  if (about?.content !== content || about.format !== FORMAT) {
    throw new MigrationError(
      'invalid',
      `${folder} is not a complete export of ${content === 'access' ? 'the access API' : 'an organization'} in format ${FORMAT}`,
    );
  }
  const items: Item[] = [];
  const known = new Set(kinds);
  for (const kind of await readdir(folder, { withFileTypes: true })) {
    if (!kind.isDirectory() || !known.has(kind.name)) continue;
    for (const file of await readdir(join(folder, kind.name), { withFileTypes: true })) {
      if (file.isFile() && file.name.endsWith('.yaml'))
        items.push(...(await itemsIn(join(folder, kind.name, file.name))));
    }
  }
  const order = new Map(kinds.map((kind, index) => [kind, index]));
  return items.toSorted((one, other) => (order.get(one.kind) ?? 0) - (order.get(other.kind) ?? 0));
}

async function itemsIn(path: string): Promise<readonly Item[]> {
  const { kind, owns = {}, ...form } = (await fileIn(path)) as FileForm;
  if (typeof kind !== 'string' || !isObject(owns)) throw invalid(path);
  const item = itemOf(path, kind, '', form);
  const owned = Object.entries(owns).flatMap(([ownKind, forms]) => {
    if (!Array.isArray(forms)) throw invalid(path);
    return forms.map((one) => itemOf(path, ownKind, item.name, one));
  });
  return [item, ...owned];
}

function itemOf(path: string, kind: string, owner: string, form: ItemForm): Item {
  const { name, attributes = {}, links = {} } = form ?? {};
  const areLinks =
    isObject(links) && Object.values(links).every((names) => Array.isArray(names) && names.every(isText));
  if (!isText(name) || !isObject(attributes) || !areLinks) throw invalid(path);
  return { kind, owner, name, attributes, links };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (path: string): MigrationError =>
  new MigrationError('invalid', `${path} does not have the form of an exported item`);

async function fileIn(path: string): Promise<unknown> {
  const { size } = await stat(path).catch(() => {
    throw new MigrationError('invalid', `there is no file ${path}; is it the folder of an export?`);
  });
  if (size > MAX_FILE) throw new MigrationError('invalid', `${path} is larger than ${MAX_FILE} bytes`);
  try {
    return parse(await readFile(path, 'utf8')) ?? {};
  } catch (error) {
    throw new MigrationError('invalid', `${path} is not YAML: ${(error as Error).message}`);
  }
}
