import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../storage/index.ts';
import { SignedLinks } from './signed-links.ts';

let folder: string;
let keyring: Keyring;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
  keyring = await createKeyring(join(folder, 'keyring'));
});
afterAll(() => rm(folder, { recursive: true }));

const life = { life: 3_600_000, step: 60_000 };
const at = (now: number, purpose = 'test') => new SignedLinks(keyring, () => now, purpose, life);

test('a link opens what it was signed for until its life is over', () => {
  const link = at(0).sign('plan-1');
  expect(at(0).open(link)).toBe('plan-1');
  expect(at(3_599_999).open(link)).toBe('plan-1');
  expect(at(3_660_000).open(link)).toBeUndefined();
});

test('within a step a link stays the same', () => {
  expect(at(59_999).sign('plan-1')).toBe(at(1).sign('plan-1'));
  expect(at(60_001).sign('plan-1')).not.toBe(at(1).sign('plan-1'));
});

test('a link of another kind, of another thing, or that was changed opens nothing', () => {
  const link = at(0).sign('plan-1');
  const [, id = '', expires = '', signature = ''] = link.split('.');
  expect(at(0, 'other').open(link)).toBeUndefined();
  expect(at(0).open(`lkl.plan-2.${expires}.${signature}`)).toBeUndefined();
  expect(at(0).open(`lkl.${id}.z${expires}.${signature}`)).toBeUndefined();
  const changed = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
  expect(at(0).open(`lkl.${id}.${expires}.${changed}`)).toBeUndefined();
  for (const text of [
    '',
    'plan-1',
    `${link}x`,
    `${link.slice(0, -10)}nonexisting`,
    `lkl.${id}..${signature}`,
    `${id}.${expires}.${signature}`,
  ]) {
    expect(at(0).open(text), text).toBeUndefined();
  }
});
