import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What an engine printed as JSON. @returns the file that it is in */
export function printed(json: object | string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'printed-')), 'printed.json');
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
  return path;
}
