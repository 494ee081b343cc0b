import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Accesses of a module to a table of another one. */
export interface TableAccess {
  readonly module: string;
  readonly table: string;
  readonly owner: string;
  /** Files of the module that access the table, sorted. */
  readonly files: readonly string[];
}

/**
 * Modules with tables, lowest first. Modules of one line do not know each other. The order is that of the imports
 * (`.dependency-cruiser.cjs`).
 */
const LAYERS: readonly (readonly string[])[] = [
  ['storage'],
  ['access', 'platform'],
  ['delivery'],
  ['tenancy'],
  ['workspace'],
  ['state', 'variables', 'vcs'],
  ['execution', 'audit-trail'],
];

const layerOf = (module: string) => LAYERS.findIndex((modules) => modules.includes(module));

/** Returns whether the table belongs to a module that the accessing one must not know. */
export const isUpward = ({ module, owner }: TableAccess): boolean => layerOf(owner) >= layerOf(module);

/** Returns the module of a file: a folder of `src/workspaces`, or of `src`. */
function moduleOf(file: string): string {
  const [, folder = '', below = ''] = file.split('/');
  return folder === 'workspaces' ? below : folder;
}

/** A node of a syntax tree. */
type Node = Readonly<Record<string, unknown>>;

/** Texts of a program: each string and template, with a question mark for each value in a template. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const texts: string[] = [];
  if (!/\b(?:select|insert|update|delete|join|create|table:)\s/i.test(source)) return texts;
  const visit = (node: Node | null): void => {
    if (node === null) return;
    const { type, value, quasis, key } = node as Node & { quasis: { value: { raw: string } }[]; key: Node | undefined };
    if (type === 'Literal' && typeof value === 'string') texts.push(value);
    if (type === 'TemplateLiteral') texts.push(quasis.map((part) => part.value.raw).join(' ? '));
    // `{ table: 'schedule' }` names a table whose statement is built elsewhere.
    if (type === 'Property' && key?.name === 'table') texts.push(`FROM ${(value as Node).value}`);
    for (const child of Object.values(node)) if (typeof child === 'object') visit(child as Node);
  };
  visit(parseSync(file, source).program as unknown as Node);
  return texts;
}

const NAME = '"?([a-z_]+)"?';
const CREATED = new RegExp(`CREATE (?:TABLE|VIEW) (?:IF NOT EXISTS )?${NAME}`, 'g');
const ACCESSED = [
  new RegExp(`\\b(?:from|join|update|into)\\s+\\(?\\s*${NAME}`, 'gi'),
  // More tables after a comma: `from agent_pool p, workspace w`.
  new RegExp(`\\bfrom\\s+[a-z_]+(?:\\s+[a-z]+)?\\s*,\\s*${NAME}`, 'gi'),
  // The part of a statement that follows FROM: `run_trigger t JOIN workspace w`.
  new RegExp(`^\\s*${NAME}\\s+(?:as\\s+)?[a-z]+\\s+(?:left\\s+|inner\\s+)?join\\b`, 'gi'),
];

const named = (text: string, patterns: readonly RegExp[]) =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));

export interface TableUse {
  /** Module of each table and view: the one whose file creates it. */
  readonly owners: ReadonlyMap<string, string>;
  /** Accesses across modules. */
  readonly accesses: readonly TableAccess[];
}

/** Reads all statements of `src`. Migrations count only as the place where a table is created. */
export function tableUse(): TableUse {
  const files = globSync('src/{access,storage,workspaces,composition,diagnosis}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const texts = new Map(files.toSorted().map((file) => [file, textsOf(file)]));
  const owners = new Map<string, string>();
  for (const [file, all] of texts)
    for (const text of all) for (const table of named(text, [CREATED])) owners.set(table, moduleOf(file));
  const found = new Map<string, Set<string>>();
  for (const [file, all] of texts) {
    if (file.includes('/migrations/')) continue;
    for (const table of all.flatMap((text) => named(text, ACCESSED))) {
      const owner = owners.get(table);
      if (owner === undefined || owner === moduleOf(file)) continue;
      const key = `${moduleOf(file)} ${table}`;
      found.set(key, (found.get(key) ?? new Set()).add(file));
    }
  }
  const accesses = [...found].map(([key, of]) => {
    const [module = '', table = ''] = key.split(' ');
    return { module, table, owner: owners.get(table) ?? '', files: [...of].toSorted() };
  });
  return { owners, accesses: accesses.toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1)) };
}

/** `execution -> tenancy.team 5`: the module, the table with its owner, and the number of files. */
export const lineOf = ({ module, owner, table, files }: TableAccess) =>
  `${module} -> ${owner}.${table} ${files.length}${layerOf(owner) >= layerOf(module) ? ' upward' : ''}`;
