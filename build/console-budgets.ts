import { globSync, readFileSync, statSync } from 'node:fs';

/** Budgets in bytes (brotli) of the requests before the first page, in a fresh browser with a session. */
const BUDGETS = { first: 160_000, page: 95_000, all: 600_000 } as const;

/** The workspace list is part of the first load. */
const ENTRY = 'index.html';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

/** Returns the sizes of a build. Fonts count only in `all`, because rendering does not wait for them. */
export interface Weights {
  readonly first: number;
  /** Size of the largest page chunk. */
  readonly page: number;
  readonly all: number;
}

/** @param folder of a compressed build */
export function weigh(folder: string): Weights {
  const chunks = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8')) as Readonly<Record<string, Chunk>>;
  const sent = (file: string) => statSync(`${folder}/${file}${file.endsWith('.woff2') ? '' : '.br'}`).size;
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sent(file), 0);
  const first = filesOf(chunks, ENTRY);
  const pages = Object.keys(chunks).filter((key) => chunks[key]?.isDynamicEntry);
  const extra = pages.map((key) => sum([...filesOf(chunks, key)].filter((file) => !first.has(file))));
  const everything = globSync('**/*.{css,html,js,svg,woff2}', { cwd: folder });
  return { first: sum(first), page: Math.max(0, ...extra), all: sum(everything) };
}

/** @throws Error that names each exceeded budget */
export function assertWithinBudgets(weights: Weights): void {
  const over = (['first', 'page', 'all'] as const).filter((name) => weights[name] > BUDGETS[name]);
  if (over.length === 0) return;
  throw new Error(over.map((name) => `console: ${name} weighs ${weights[name]}, and may ${BUDGETS[name]}`).join('; '));
}

/**
 * Two chunks that import each other start in the wrong order: one uses what the other has not yet defined.
 * @throws Error that names the chunks of a circle
 */
export function assertWithoutCircles(folder: string): void {
  const chunks = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8')) as Readonly<Record<string, Chunk>>;
  const done = new Set<string>();
  const visit = (key: string, path: readonly string[]): void => {
    if (path.includes(key)) throw new Error(`console: chunks import each other: ${[...path, key].join(' -> ')}`);
    if (done.has(key)) return;
    for (const next of chunks[key]?.imports ?? []) visit(next, [...path, key]);
    done.add(key);
  };
  for (const key of Object.keys(chunks)) visit(key, []);
}

function filesOf(chunks: Readonly<Record<string, Chunk>>, key: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const file of chunk.css ?? []) found.add(file);
  for (const next of chunk.imports ?? []) filesOf(chunks, next, found);
  return found;
}
