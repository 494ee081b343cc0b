import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes JSON to a file, as if an engine had printed it. @returns the path */
export function printed(json: object | string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'printed-')), 'printed.json');
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
  return path;
}
