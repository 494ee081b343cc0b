import { chmodSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Job } from '../job.ts';
import { type EnginePlaces, enginesHere, findEngine } from './engine.ts';

const temporary = (name: string): string => mkdtempSync(join(tmpdir(), `${name}-`));
const folder = temporary('engines');
const path = temporary('path');
for (const version of ['1.9.0', '1.10.7', '1.13.0-rc1']) put(join(folder, 'opentofu', version), 'tofu', '');
put(join(folder, 'terraform', '1.11.0-rc1'), 'terraform', '');
mkdirSync(join(folder, 'opentofu', '1.8.0'));
put(join(folder, 'opentofu', 'notes'), 'tofu', '');
put(path, 'tofu', "echo 'OpenTofu v1.12.6'; echo 'on linux_amd64'");

function put(into: string, name: string, script: string): string {
  mkdirSync(into, { recursive: true });
  const program = join(into, name);
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

const find = (engine: Job['engine'], places: EnginePlaces) => findEngine(engine, places, new AbortController().signal);
const tofu = (version: string | null, places: EnginePlaces = { folder, path }) =>
  find({ kind: 'opentofu', version }, places);

describe('an engine', () => {
  test('is found in the folder, otherwise on the PATH if its version matches', async () => {
    expect((await tofu('1.9.0')).program).toBe(join(folder, 'opentofu/1.9.0/tofu'));
    expect((await tofu('1.13.0-rc1')).program).toBe(join(folder, 'opentofu/1.13.0-rc1/tofu'));
    expect(await tofu('1.12.6')).toEqual({ kind: 'opentofu', version: '1.12.6', program: join(path, 'tofu') });
  });

  test('is the newest installed release if no version is required', async () => {
    expect((await tofu(null)).program).toBe(join(path, 'tofu'));
    expect((await tofu(null, { folder, path: '' })).program).toBe(join(folder, 'opentofu/1.10.7/tofu'));
    expect((await tofu(null, { folder: null, path })).program).toBe(join(path, 'tofu'));
    expect((await find({ kind: 'terraform', version: null }, { folder, path })).version).toBe('1.11.0-rc1');
  });

  test('is the newest installed release that satisfies a constraint, whatever could be downloaded', async () => {
    const asked = { kind: 'opentofu', version: '1.10.10', constraint: '~> 1.10.0' } as const;
    const nowhere = { mirrors: { opentofu: 'http://127.0.0.1:1', terraform: 'http://127.0.0.1:1' }, keys: {} };
    for (const downloads of [null, nowhere]) {
      expect((await find(asked, { folder, path: '', downloads })).version).toBe('1.10.7');
      expect((await find({ ...asked, constraint: '>= 1.9' }, { folder, path, downloads })).version).toBe('1.12.6');
      // A constraint that only this machine knows.
      const unknown = { ...asked, version: '~> 1.10.7', constraint: '~> 1.10.7' };
      expect((await find(unknown, { folder, path: '', downloads })).version).toBe('1.10.7');
    }
    const none = { ...asked, version: '1.10.10', constraint: '~> 1.10.8' };
    await expect(find(none, { folder, path: '' })).rejects.toThrow(
      `This agent does not have a release of OpenTofu that satisfies ~> 1.10.8 (searched in ${folder}/opentofu/VERSION/tofu`,
    );
    await expect(find(none, { folder, path: '', downloads: nowhere })).rejects.toThrow(
      'This agent does not have OpenTofu 1.10.10, and the download failed',
    );
    const prerelease = { ...asked, version: '1.13.0', constraint: '~> 1.13.0' };
    await expect(find(prerelease, { folder, path: '' })).rejects.toThrow('This agent does not have');
  });

  test('of `always` is used for all jobs', async () => {
    const always = put(temporary('always'), 'any', "echo 'Terraform v1.11.4'");
    for (const version of ['1.9.0', '~> 99.0', null]) {
      expect(await tofu(version, { folder, path, always })).toEqual({
        kind: 'terraform',
        version: '1.11.4',
        program: always,
      });
    }
    expect(await enginesHere({ folder, path, always })).toHaveLength(1);
  });

  test.each([
    ['exit 3', 'does not work: Command failed'],
    ['echo nothing', 'is neither OpenTofu nor Terraform'],
  ])('of `always` that does %s is an error', async (script, reason) => {
    const always = put(temporary('always'), 'any', script);
    const thrown = { name: 'JobFailure', message: expect.stringContaining(reason) };
    await expect(tofu(null, { folder, path, always })).rejects.toMatchObject(thrown);
    await expect(enginesHere({ folder, path, always })).rejects.toMatchObject(thrown);
    await expect(tofu(null, { folder, path, always: '/nowhere/tofu' })).rejects.toThrow('does not work');
  });

  test('is asked for its version once, until its file changes', async () => {
    const place = temporary('path');
    const asked = join(place, 'asked');
    const script = (version: string) => `echo x >>${asked}; echo 'OpenTofu v${version}'`;
    put(place, 'tofu', script('1.12.5'));
    for (let n = 0; n < 3; n++) expect((await tofu(null, { folder: null, path: place })).version).toBe('1.12.5');
    expect(readFileSync(asked, 'utf8')).toBe('x\n');
    utimesSync(put(place, 'tofu', script('1.12.6')), 1, 1);
    expect((await tofu(null, { folder: null, path: place })).version).toBe('1.12.6');
  });
});

describe('the error about a missing engine says what to do', () => {
  const onlyTerraform = temporary('path');
  put(onlyTerraform, 'terraform', "echo 'Terraform v1.11.4'");
  const none = temporary('path');
  const tofuPath = `${folder}/opentofu/1.12.5/tofu`;

  test.each<[string, string | null, EnginePlaces, string]>([
    [
      'other versions are in the folder and on the PATH',
      '1.12.5',
      { folder, path },
      `This agent does not have OpenTofu 1.12.5 (searched in ${tofuPath} and on the PATH, which has OpenTofu 1.13.0-rc1, OpenTofu 1.10.7, OpenTofu 1.9.0, Terraform 1.11.0-rc1, OpenTofu 1.12.6): install it there, enable engine downloads of the agent or set another version for the workspace`,
    ],
    [
      'the other engine is on the PATH',
      null,
      { folder: null, path: onlyTerraform },
      'This agent does not have OpenTofu (searched on the PATH, which has Terraform 1.11.4): install it on the PATH, enable engine downloads of the agent or set the engine of the workspace to Terraform',
    ],
    [
      'no engine is installed',
      null,
      { folder: null, path: none },
      'This agent does not have OpenTofu (searched on the PATH, which has none): install it on the PATH or enable engine downloads of the agent',
    ],
    [
      'downloads are enabled, but no version is known',
      null,
      { folder: none, path: '', downloads: {} },
      `This agent does not have OpenTofu (searched in ${none}/opentofu/VERSION/tofu and on the PATH, which has none): install it there`,
    ],
    [
      'downloads are enabled without a folder',
      '1.12.5',
      { folder: null, path: '', downloads: {} },
      'This agent does not have OpenTofu 1.12.5 (searched on the PATH, which has none): install it on the PATH, enable engine downloads of the agent or set another version for the workspace',
    ],
  ])('%s', async (_, version, places, text) => {
    await expect(tofu(version, places)).rejects.toMatchObject({ name: 'JobFailure', message: text });
  });

  test.each(['../opentofu/1.9.0', '~> 99.0', 'notes', '1.9', '', '1.9.0/../1.9.0', '1.9.0\n'])(
    '%j is not a release',
    async (version) => {
      await expect(tofu(version)).rejects.toThrow(
        'is not a release of OpenTofu: set the workspace to a version such as 1.12.6',
      );
    },
  );
});

test('all installed engines are listed, and nothing is downloaded', async () => {
  const all = await enginesHere({ folder, path, downloads: {} });
  expect(all.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
    ...['opentofu 1.13.0-rc1', 'opentofu 1.10.7', 'opentofu 1.9.0', 'terraform 1.11.0-rc1', 'opentofu 1.12.6'],
  ]);
});
