import { chmodSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Job } from '../job.ts';
import { type EnginePlaces, enginesHere, findEngine } from './engine.ts';
import { isNewer, isVersion } from './version.ts';

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
  test('is taken out of the folder, else from the PATH if its version fits', async () => {
    expect((await tofu('1.9.0')).program).toBe(join(folder, 'opentofu/1.9.0/tofu'));
    expect((await tofu('1.13.0-rc1')).program).toBe(join(folder, 'opentofu/1.13.0-rc1/tofu'));
    expect(await tofu('1.12.6')).toEqual({ kind: 'opentofu', version: '1.12.6', program: join(path, 'tofu') });
  });

  test('is the newest release that is anywhere, where no version is asked for', async () => {
    expect((await tofu(null)).program).toBe(join(path, 'tofu'));
    expect((await tofu(null, { folder, path: '' })).program).toBe(join(folder, 'opentofu/1.10.7/tofu'));
    expect((await tofu(null, { folder: null, path })).program).toBe(join(path, 'tofu'));
    expect((await find({ kind: 'terraform', version: null }, { folder, path })).version).toBe('1.11.0-rc1');
  });

  test('of a constraint is the newest release that is here and satisfies it, whatever could be downloaded', async () => {
    const asked = { kind: 'opentofu', version: '1.10.10', constraint: '~> 1.10.0' } as const;
    const nowhere = { mirrors: { opentofu: 'http://127.0.0.1:1', terraform: 'http://127.0.0.1:1' }, keys: {} };
    for (const downloads of [null, nowhere]) {
      expect((await find(asked, { folder, path: '', downloads })).version).toBe('1.10.7');
      expect((await find({ ...asked, constraint: '>= 1.9' }, { folder, path, downloads })).version).toBe('1.12.6');
      // Known to nobody but this machine.
      const unknown = { ...asked, version: '~> 1.10.7', constraint: '~> 1.10.7' };
      expect((await find(unknown, { folder, path: '', downloads })).version).toBe('1.10.7');
    }
    const none = { ...asked, version: '1.10.10', constraint: '~> 1.10.8' };
    await expect(find(none, { folder, path: '' })).rejects.toThrow(
      `A release of OpenTofu that satisfies ~> 1.10.8 is not on this agent (looked in ${folder}/opentofu/VERSION/tofu`,
    );
    await expect(find(none, { folder, path: '', downloads: nowhere })).rejects.toThrow(
      'OpenTofu 1.10.10 is not on this agent, and the download failed',
    );
    const prerelease = { ...asked, version: '1.13.0', constraint: '~> 1.13.0' };
    await expect(find(prerelease, { folder, path: '' })).rejects.toThrow('is not on this agent');
  });

  test('that is named is used whatever is asked for', async () => {
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
  ])('that is named and does %s is said', async (script, reason) => {
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

describe('an engine that is not here is said, with what to do', () => {
  const onlyTerraform = temporary('path');
  put(onlyTerraform, 'terraform', "echo 'Terraform v1.11.4'");
  const none = temporary('path');
  const tofuPath = `${folder}/opentofu/1.12.5/tofu`;

  test.each<[string, string | null, EnginePlaces, string]>([
    [
      'other versions are in the folder and on the PATH',
      '1.12.5',
      { folder, path },
      `OpenTofu 1.12.5 is not on this agent (looked in ${tofuPath} and on the PATH, where there is OpenTofu 1.13.0-rc1, OpenTofu 1.10.7, OpenTofu 1.9.0, Terraform 1.11.0-rc1, OpenTofu 1.12.6): put it there, let the agent download engines or give the workspace another version`,
    ],
    [
      'the other engine is on the PATH',
      null,
      { folder: null, path: onlyTerraform },
      'OpenTofu is not on this agent (looked on the PATH, where there is Terraform 1.11.4): put it on the PATH, let the agent download engines or make Terraform the engine of the workspace',
    ],
    [
      'nothing is anywhere',
      null,
      { folder: null, path: none },
      'OpenTofu is not on this agent (looked on the PATH, where there is none): put it on the PATH or let the agent download engines',
    ],
    [
      'downloads are allowed, and nobody knows which',
      null,
      { folder: none, path: '', downloads: {} },
      `OpenTofu is not on this agent (looked in ${none}/opentofu/VERSION/tofu and on the PATH, where there is none): put it there`,
    ],
    [
      'downloads are allowed without a folder',
      '1.12.5',
      { folder: null, path: '', downloads: {} },
      'OpenTofu 1.12.5 is not on this agent (looked on the PATH, where there is none): put it on the PATH, let the agent download engines or give the workspace another version',
    ],
  ])('%s', async (_, version, places, text) => {
    await expect(tofu(version, places)).rejects.toMatchObject({ name: 'JobFailure', message: text });
  });

  test.each(['../opentofu/1.9.0', '~> 99.0', 'notes', '1.9', '', '1.9.0/../1.9.0', '1.9.0\n'])(
    '%j is no release',
    async (version) => {
      await expect(tofu(version)).rejects.toThrow('is no release of OpenTofu: give the workspace one such as 1.12.6');
    },
  );
});

test('all that are here are told, and nothing is downloaded for that', async () => {
  const all = await enginesHere({ folder, path, downloads: {} });
  expect(all.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
    ...['opentofu 1.13.0-rc1', 'opentofu 1.10.7', 'opentofu 1.9.0', 'terraform 1.11.0-rc1', 'opentofu 1.12.6'],
  ]);
});

test('versions are in order', () => {
  const sorted = ['1.9.0', '1.10.0-rc1', '1.10.0', '1.10.0-rc10', '1.10.0-rc2', '2.0'];
  expect(sorted.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))).toEqual([
    ...['2.0', '1.10.0', '1.10.0-rc10', '1.10.0-rc2', '1.10.0-rc1', '1.9.0'],
  ]);
});

test.each(['1.12.6', '0.11.15', '1.13.0-rc1', '1.15.0-alpha20260204'])('%s is a version', (version) => {
  expect(isVersion(version)).toBe(true);
});
