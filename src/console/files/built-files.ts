import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Content encoding of a file (RFC 9110 §8.4). */
export type Coding = 'br' | 'gzip' | 'identity';

/** A static file in each content encoding of the build. */
export interface BuiltFile {
  readonly type: string;
  readonly codings: ReadonlyMap<Coding, { readonly bytes: Buffer; readonly etag: string }>;
}

/** Files by their path below `/app`: `/index.html`, `/~assets/index-abc.js`. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const SUFFIXES: readonly (readonly [suffix: string, coding: Coding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
  ['', 'identity'],
];

/**
 * Folders with the built console: in the package beside the program, in the sources the output of the console's build.
 */
const PLACES = [join(import.meta.dirname, 'console'), join(import.meta.dirname, '../../../console/dist')];

/** Reads all files of the built console into memory. Returns undefined if it was not built. */
export function readBuiltFiles(places: readonly string[] = PLACES): BuiltFiles | undefined {
  for (const place of places) {
    const files = filesIn(place);
    if (files.has('/index.html')) return files;
  }
  return undefined;
}

function filesIn(folder: string): BuiltFiles {
  const read = new Map<string, BuiltFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const codings = SUFFIXES.flatMap(([suffix, coding]) => codingOf(join(folder, `${name}${suffix}`), coding));
    read.set(`/${name}`, { type, codings: new Map(codings) });
  }
  return read;
}

function namesIn(folder: string): string[] {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
  } catch {
    return [];
  }
}

function codingOf(file: string, coding: Coding) {
  const bytes = readIfThere(file);
  if (bytes === undefined) return [];
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return [[coding, { bytes, etag }] as const];
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
