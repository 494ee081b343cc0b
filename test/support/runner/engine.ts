import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EnginePlaces, Job } from '../../../src/runner/index.ts';

const VERSION = '99.0.0';

/**
 * Creates an engine that runs a script, for behaviour that no real engine shows. `$1` is the step.
 * @param script of a shell; other steps succeed
 */
export function scripted(script: string): { readonly engines: EnginePlaces; readonly engine: Job['engine'] } {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  const place = join(folder, 'terraform', VERSION);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'terraform'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { engines: { folder, path: '' }, engine: { kind: 'terraform', version: VERSION } };
}
