import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installer } from '../../build/release/installer.ts';
import { minisign, publicText, releaseKey } from '../../build/release/signature.ts';
import { checksums } from '../../build/release/statement.ts';
import { version } from '../../src/version.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the script in a folder without packages, as the workflow does. */
describe('the signature of a release', () => {
  const pem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const [ours, other] = [pem(), pem()];
  const key = releaseKey(ours);
  let folder: string;
  let release: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-sign-'));
    release = join(folder, 'release');
    cpSync(join(ROOT, 'build/release'), join(folder, 'build/release'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    mkdirSync(release);
    writeFileSync(join(folder, 'release.key'), ours);
    writeFileSync(join(folder, 'other.key'), other);
    writeFileSync(join(release, 'install.sh'), installer({ version, key: publicText(key) }));
    writeFileSync(join(release, 'program'), 'program');
    writeFileSync(join(release, 'SHA256SUMS'), checksums(release));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const sign = (...args: string[]) => {
    const options = { cwd: folder, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, ['build/release/sign.ts', ...args], options);
  };

  it('is that of the checksums', () => {
    expect(sign('--key', 'release.key', 'release')).toMatchObject({ status: 0, stdout: `${publicText(key)}\n` });
    const sums = readFileSync(join(release, 'SHA256SUMS'));
    expect(readFileSync(join(release, 'SHA256SUMS.minisig'), 'utf8')).toBe(
      minisign(key, sums, `lockkeeper ${version}`),
    );
  });

  it('is not needed for the public key', () => {
    expect(sign('--key', 'release.key')).toMatchObject({ status: 0, stdout: `${publicText(key)}\n` });
  });

  it.each([
    ['a changed file', 'release.key', () => writeFileSync(join(release, 'program'), 'another'), 'does not match'],
    ['a file without a checksum', 'release.key', () => writeFileSync(join(release, 'more'), ''), 'does not match'],
    ['another key than that of the installer', 'other.key', () => {}, 'install.sh has another public key'],
  ])('is refused for %s', (_name, file, change, message) => {
    change();
    expect(sign('--key', file, 'release')).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
    expect(existsSync(join(release, 'SHA256SUMS.minisig'))).toBe(false);
  });
});
