import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes an engine whose plan runs a shell script, prints its output, and fails. @returns its path */
export function writeEngine(folder: string, script: string): string {
  const engine = join(mkdtempSync(join(folder, 'engine-')), 'terraform');
  const text = `#!/bin/sh
case $1 in
  version) echo 'Terraform v1.11.4';;
  plan)
${script}
    exit 1;;
esac
`;
  writeFileSync(engine, text, { mode: 0o755 });
  return engine;
}
