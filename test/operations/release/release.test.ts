import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { makeExecutable } from '../../../build/executable.ts';
import { compress, packChart } from '../../../build/release/archives.ts';
import { installer } from '../../../build/release/installer.ts';
import { ARCHITECTURES } from '../../../build/release/node.ts';
import { minisign, publicText, releaseKey } from '../../../build/release/signature.ts';
import { checksums, provenance } from '../../../build/release/statement.ts';
import { version } from '../../../src/version.ts';
import { serveFolder } from './files-server.ts';
import { bareMachine, type Machine } from './machine.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-release-'));
const release = join(folder, 'release');
const newKey = () =>
  releaseKey(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const key = newKey();
const executable = (architecture: string) => `lockkeeper-${version}-linux-${architecture}.gz`;
const build = {
  version,
  source: { repository: 'https://git.example.com/lockkeeper', commit: 'a'.repeat(40), isChanged: false },
  node: process.versions.node,
  builder: 'https://ci.example.com',
};

/** The release without what other tests build and install: the package and the images. */
beforeAll(async () => {
  mkdirSync(release);
  const program = dirname(inject('program') ?? '');
  for (const architecture of ARCHITECTURES) await makeExecutable(program, join(folder, architecture), architecture);
  await compress(join(folder, process.arch), join(release, executable(process.arch)));
  writeFileSync(join(release, 'install.sh'), installer({ version, key: publicText(key) }));
  writeFileSync(join(release, `lockkeeper-${version}.provenance.json`), provenance(release, build));
  sign(release);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

function sign(into: string, signer = key, comment = `lockkeeper ${version}`): void {
  writeFileSync(join(into, 'SHA256SUMS'), checksums(into));
  writeFileSync(join(into, 'SHA256SUMS.minisig'), minisign(signer, readFileSync(join(into, 'SHA256SUMS')), comment));
}

/** Returns a folder with the files of the release, which a test may replace. */
function copy(): string {
  const files = mkdtempSync(join(folder, 'copy-'));
  for (const name of readdirSync(release)) symlinkSync(join(release, name), join(files, name));
  return files;
}

function replace(files: string, name: string, text: string): void {
  rmSync(join(files, name));
  writeFileSync(join(files, name), text);
}

function machine(...programs: readonly string[]): Machine {
  const made = bareMachine(folder, programs);
  onTestFinished(() => made.remove());
  return made;
}

const SCRIPT = join(release, 'install.sh');

describe('install.sh', () => {
  test('installs the executable from a URL on a machine without Node.js, for a user who is not root', async () => {
    const { url, stop } = await serveFolder(release);
    onTestFinished(stop);
    const user = machine('curl', 'openssl');
    const { code, output } = await user.run('sh', SCRIPT, '--from', url);
    expect(output).toBe(
      `Lockkeeper ${version} is installed: ${user.home}/.local/bin/lockkeeper\n` +
        `Add its folder to the PATH: export PATH="${user.home}/.local/bin:$PATH"\n`,
    );
    expect(code).toBe(0);
    const bin = join(user.home, '.local/bin');
    expect(readdirSync(bin).sort()).toEqual(['lockkeeper', 'terraform-credentials-lockkeeper']);
    expect((await user.run(join(bin, 'lockkeeper'), '--version')).output).toContain(version);
    expect((await user.run(join(bin, 'terraform-credentials-lockkeeper'), 'take')).output).toContain('usage: ');
  });

  test('installs from a folder, verifies with minisign, and replaces another version', async () => {
    const user = machine('minisign');
    const bin = join(user.home, 'tools');
    mkdirSync(bin);
    writeFileSync(join(bin, 'lockkeeper'), 'old');
    const { code, output } = await user.run('sh', SCRIPT, '--from', release, '--into', bin);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect((await user.run(join(bin, 'lockkeeper'), '--version')).output).toContain(version);
  });

  const other = publicText(newKey());
  test.each<[title: string, message: string, change: (files: string) => void, args?: readonly string[]]>([
    [
      'the executable was changed',
      `the checksum of ${executable(process.arch)} is wrong`,
      (files) => replace(files, executable(process.arch), 'changed'),
    ],
    [
      'the checksums were changed, too',
      'the signature of SHA256SUMS does not match the key',
      (files) => {
        replace(files, executable(process.arch), 'changed');
        replace(files, 'SHA256SUMS', checksums(files));
      },
    ],
    [
      'the signature is of another version',
      `the release is "lockkeeper 0.0.1", and not lockkeeper ${version}`,
      (files) => {
        for (const name of ['SHA256SUMS', 'SHA256SUMS.minisig']) rmSync(join(files, name));
        sign(files, key, 'lockkeeper 0.0.1');
      },
    ],
    [
      'the signed comment was changed',
      'the signature of SHA256SUMS does not match the key',
      (files) => {
        const text = minisign(key, readFileSync(join(files, 'SHA256SUMS')), 'lockkeeper 0.0.1');
        replace(files, 'SHA256SUMS.minisig', text.replace('lockkeeper 0.0.1', `lockkeeper ${version}`));
      },
    ],
    ['another key is wanted', `does not match the key ${other}`, () => {}, ['--key', other]],
    [
      'the signature is missing',
      'SHA256SUMS.minisig cannot be read',
      (files) => rmSync(join(files, 'SHA256SUMS.minisig')),
    ],
    ['no key is known', 'has no key to verify the release with', () => {}, ['--key', '']],
    ['the release has no such version', 'linux-', () => {}, ['--version', '9.9.9', '--without-signature']],
    ['an option is unknown', 'there is no option --help-me', () => {}, ['--help-me']],
    ['the folder cannot be created', 'cannot be created', () => {}, ['--into', '/proc/none']],
    [
      'the executable does not run',
      'the executable does not run on this machine',
      (files) => {
        rmSync(join(files, executable(process.arch)));
        writeFileSync(join(files, executable(process.arch)), gzipSync('no program'));
        for (const name of ['SHA256SUMS', 'SHA256SUMS.minisig']) rmSync(join(files, name));
        sign(files);
      },
    ],
  ])('changes nothing and says why if %s', async (_title, message, change, args = []) => {
    const files = copy();
    change(files);
    const user = machine('openssl');
    const bin = join(user.home, '.local/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'lockkeeper'), 'old');
    const { code, output } = await user.run('sh', SCRIPT, '--from', files, ...args);
    expect(output).toMatch(/^install\.sh: /m);
    expect(output).toContain(message);
    expect(code).toBe(1);
    expect(readdirSync(bin)).toEqual(['lockkeeper']);
    expect(readFileSync(join(bin, 'lockkeeper'), 'utf8')).toBe('old');
  });

  test('of a clone asks for what only a release knows', async () => {
    const user = machine('openssl');
    const run = async (...args: string[]) => (await user.run('sh', join(ROOT, 'install.sh'), ...args)).output;
    expect(await run()).toContain('knows no version');
    expect(await run('--version', version)).toContain('does not know where releases are');
    expect(await run('--version', version, '--from', release)).toContain('has no key');
    expect(await run('--version', version, '--from', release, '--without-signature')).toContain('is installed');
  });
});

describe('a release', () => {
  test('has a signature that minisign verifies', () => {
    const args = ['-V', '-P', publicText(key), '-m', join(release, 'SHA256SUMS')];
    expect(spawnSync('minisign', args, { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`Trusted comment: lockkeeper ${version}`),
    });
  });

  test('is signed by an Ed25519 key only', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => releaseKey(pem)).toThrow('The release key is of type ec.');
  });

  test('has the provenance of its files, which the checksums cover', () => {
    const { subject, predicate } = JSON.parse(
      readFileSync(join(release, `lockkeeper-${version}.provenance.json`), 'utf8'),
    );
    const sums = new Map(
      readFileSync(join(release, 'SHA256SUMS'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('  ').toReversed() as [string, string]),
    );
    expect(subject).toHaveLength(2);
    for (const { name, digest } of subject) expect(digest.sha256).toBe(sums.get(name));
    expect([...sums.keys()]).toContain(`lockkeeper-${version}.provenance.json`);
    expect(predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: 'a'.repeat(40) });
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release, stdio: 'ignore' });
  });

  test('has executables for two processors', () => {
    const machineOf = (file: string) => {
      const header = Buffer.alloc(20);
      readSync(openSync(file, 'r'), header, 0, 20, 0);
      return header.readUInt16LE(18);
    };
    expect(ARCHITECTURES.map((name) => machineOf(join(folder, name)))).toEqual([62, 183]);
    const fuse = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1');
    for (const name of ARCHITECTURES) expect(readFileSync(join(folder, name)).includes(fuse)).toBe(true);
  });

  test('has the same bytes when charts and archives are packed again', async () => {
    const chart = join(ROOT, 'deploy/helm/lockkeeper');
    const copied = join(folder, 'lockkeeper');
    execFileSync('sh', ['-c', `umask 077 && cp -R '${chart}' '${copied}'`]);
    await packChart(chart, join(folder, 'one.tgz'));
    await packChart(copied, join(folder, 'two.tgz'));
    execFileSync('cmp', [join(folder, 'one.tgz'), join(folder, 'two.tgz')]);
    const file = join(copied, 'values.yaml');
    await compress(file, join(folder, 'one.gz'));
    await compress(join(chart, 'values.yaml'), join(folder, 'two.gz'));
    execFileSync('cmp', [join(folder, 'one.gz'), join(folder, 'two.gz')]);
  });
});
