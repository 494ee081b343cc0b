import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as CycloneDX from '@cyclonedx/cyclonedx-library';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoot } from '../../../src/pki/index.ts';
import { version } from '../../../src/version.ts';
import { call } from '../../support/http.ts';
import { buildElsewhere } from './elsewhere.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** The program gets nothing from the environment of this process but the path of Node.js. */
const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: process.env.HOME };

/** Folder in which the package, and nothing else, is installed. */
let folder = '';
let tarball = '';
let contents: readonly string[] = [];
const installed = (path: string) => join(folder, 'node_modules/lockkeeper', path);
const command = (name: string, ...args: string[]) =>
  run(join(folder, 'node_modules/.bin', name), args, { cwd: folder, env });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT, env });
  // The output of the build comes before the JSON of npm.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  tarball = join(folder, filename);
  contents = (files as { path: string; mode: number }[]).map(({ path, mode }) => `${mode.toString(8)} ${path}`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', tarball], { cwd: folder, env });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  test('contains everything that it needs, and no build tools', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lockkeeper']);
    const top = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'];
    expect(readdirSync(installed('')).sort()).toEqual(top);
  });

  // `npm run test:operations -- test/operations/package --update` writes the list. Names of assets contain a hash, and each asset also has a
  // compressed copy.
  test('contains exactly these files', async () => {
    const named = contents.map((line) => line.replace(/(?<=~assets\/.*)-[\w-]{8}(\.\w+)(\.br|\.gz)?$/, '-*$1$2'));
    const compressed = (line: string, way: string) => named.includes(`${line}.${way}`);
    const ways = (line: string) => ['br', 'gz'].filter((way) => compressed(line, way)).map((way) => ` +${way}`);
    const lines = [
      ...new Set(named.filter((line) => !/\.(br|gz)$/.test(line)).map((line) => line + ways(line).join(''))),
    ];
    await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('../../golden/package-files.txt');
  });

  test('works with Node.js, bundlers and TypeScript', async () => {
    const { messages } = await publint({ pkgDir: installed(''), pack: false, level: 'suggestion', strict: true });
    expect(messages).toEqual([]);
  });

  test('has a bill of materials with all components and their licences', async () => {
    const text = readFileSync(installed('dist/sbom.cdx.json'), 'utf8');
    const { JsonStrictValidator } = CycloneDX.Validation;
    expect(await new JsonStrictValidator(CycloneDX.Spec.Version.v1dot6).validate(text)).toBeNull();
    const { components, dependencies } = JSON.parse(text) as Bill;
    const named = components.map(({ group, name, version, licenses: [one] }) => {
      return `${group ? `${group}/` : ''}${name} ${version} (${one.license.id})`;
    });
    const told = (file: string, line: RegExp) => [...readFileSync(installed(file), 'utf8').matchAll(line)];
    const program = told('dist/THIRD-PARTY-LICENSES.txt', /^(\S+ \d\S* \([\w.-]+\))$/gm).map(([, one]) => one);
    const console = told('dist/console/~assets/licences.txt', /^## (\S+) - (\S+ \(.+\))$/gm);
    expect(program.length).toBeGreaterThan(50);
    expect(console.length).toBeGreaterThan(20);
    expect(named).toEqual(expect.arrayContaining([...program, ...console.map(([, name, rest]) => `${name} ${rest}`)]));
    expect(named).toContainEqual(expect.stringMatching(/^@fontsource-variable\/inter \S+ \(OFL-1\.1\)$/));
    expect(components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
    const refs = components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(new Set([...refs, `pkg:npm/lockkeeper@${version}`])).toEqual(new Set(dependencies.map(({ ref }) => ref)));
    expect(dependencies.find(({ ref }) => ref.startsWith('pkg:npm/fastify@'))?.dependsOn).toContainEqual(
      expect.stringMatching(/^pkg:npm\/avvio@/),
    );
  });

  test('has the same bytes when it is built on another machine', async () => {
    const again = await buildElsewhere(env);
    expect(again.equals(readFileSync(tarball))).toBe(true);
  }, 300_000);

  test('names the packages that it contains, with their licences', () => {
    const told = readFileSync(installed('dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['fastify', '@aws-sdk/client-s3', 'pg', 'kysely'])
      expect(told).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2\\.0)\\)$`, 'm'));
    expect(told).toContain('Permission is hereby granted, free of charge');
    expect(told).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
  });

  test('starts a server that answers, from its first start on', async () => {
    const ca = createRoot();
    const served = ca.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), served.pem);
    writeFileSync(join(folder, 'server.key'), served.keyPem);
    writeFileSync(join(folder, 'lockkeeper.yaml'), CONFIG);
    const { stdout } = await command('lockkeeper', 'init', '--config', 'lockkeeper.yaml');
    const token = /^user token +(\S+)/m.exec(stdout)?.[1] ?? '';
    for (const start of ['first', 'second']) {
      const server = spawn(join(folder, 'node_modules/.bin/lockkeeper'), ['serve', '--config', 'lockkeeper.yaml'], {
        cwd: folder,
        env,
      });
      const ended = once(server, 'exit');
      const [line] = await once(createInterface({ input: server.stdout }), 'line');
      const target = { address: JSON.parse(line).addresses[0], ca: ca.pem };
      expect((await call(target, 'GET', '/healthz/ready')).status).toBe(200);
      const body = { data: { type: 'organizations', attributes: { name: start, email: 'a@example.com' } } };
      expect((await call(target, 'POST', '/api/v2/organizations', { token, body })).status).toBe(201);
      server.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    }
    // The compile cache, which shortens the start, has its own folder.
    expect(existsSync(installed('node_modules/.cache/lockkeeper'))).toBe(true);
  });

  test('has a credentials helper that runs', async () => {
    const stderr = expect.stringMatching(/^terraform-credentials-lockkeeper: usage: /);
    await expect(command('terraform-credentials-lockkeeper', 'take')).rejects.toMatchObject({ code: 2, stderr });
  });

  test('has a library with types', async () => {
    mkdirSync(join(folder, 'use'));
    const source = join(folder, 'use/use.ts');
    writeFileSync(
      source,
      `import { Certificate, validPaths } from 'lockkeeper/x509';
       export const one: typeof Certificate = Certificate;
       // @ts-expect-error it is a function
       export const two: string = validPaths;
       console.log(typeof one, typeof validPaths);`,
    );
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, ...options, ...types, source], { cwd: folder, env });
    const { stdout } = await run(process.execPath, [source], { cwd: folder, env });
    expect(stdout).toBe('function function\n');
  });
});

const CONFIG = `listeners:
  - { address: '127.0.0.1:0', services: [access, workspaces], tls: { certificate_file: server.pem, private_key_file: server.key } }
keyring_file: keyring.json
storage: { type: sqlite, directory: data }
limits: { lame_duck: 0s }
`;

interface Bill {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly [{ readonly license: { readonly id: string } }];
    readonly hashes?: readonly { readonly alg: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
