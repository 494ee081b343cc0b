/**
 * `node build/release/sign.ts --key FILE [FOLDER]` signs the checksums of a release; without a folder it prints the public
 * key, for `npm run release -- --public-key`. The passphrase of the key is in LOCKKEEPER_RELEASE_PASSPHRASE. It needs no
 * package, so that no dependency runs beside the key. docs/operations/release.md describes all of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minisign, publicText, releaseKey } from './signature.ts';
import { checksums } from './statement.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });

try {
  if (values.key === undefined) throw new Error('The key is missing. Set --key to its file.');
  const key = releaseKey(readFileSync(values.key, 'utf8'), process.env.LOCKKEEPER_RELEASE_PASSPHRASE);
  const [folder] = positionals;
  if (folder !== undefined) sign(folder, key);
  console.log(publicText(key));
} catch (error) {
  console.error(`sign: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** @throws Error if the checksums are not those of the files, or `install.sh` would not accept the signature */
function sign(folder: string, key: ReturnType<typeof releaseKey>): void {
  const at = (name: string) => join(folder, name);
  const sums = readFileSync(at('SHA256SUMS'));
  if (sums.toString() !== checksums(folder)) {
    throw new Error('SHA256SUMS does not match the files. Do not release; find out what has changed them.');
  }
  if (!readFileSync(at('install.sh'), 'utf8').includes(`\nKEY='${publicText(key)}'\n`)) {
    throw new Error(`install.sh has another public key. Build with --public-key ${publicText(key)}.`);
  }
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  writeFileSync(at('SHA256SUMS.minisig'), minisign(key, sums, `lockkeeper ${version}`), { flag: 'wx' });
}
