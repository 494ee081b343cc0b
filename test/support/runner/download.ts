/**
 * Downloads an engine while other processes do the same: `node download.ts FOLDER BASE KEY_FILE VERSION`. Prints the
 * path of its program.
 */
import { readFileSync } from 'node:fs';
import { findEngine } from '../../../src/runner/engine/engine.ts';

const [folder = '', base = '', keyFile = '', version = ''] = process.argv.slice(2);
const downloads = { mirrors: { opentofu: base }, keys: { opentofu: readFileSync(keyFile, 'utf8') } };
const asked = { kind: 'opentofu', version } as const;
const { program } = await findEngine(asked, { folder, path: '', downloads }, new AbortController().signal);
process.stdout.write(program);
