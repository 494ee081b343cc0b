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
  keyring = await createKeyring({ file: join(folder, 'keyring') });
});
afterAll(() => rm(folder, { recursive: true }));

const life = { life: 3_600_000, step: 60_000 };
const at = (now: number, purpose = 'test') =>
  new SignedLinks(keyring, () => now, { purpose, path: (id, link) => `/plans/${id}/log?link=${link}`, life });

const plan = (id = 'plan-1', holder = 'token~at-1') => ({ id, holder });

test('a link is valid for its resource and its holder until it expires', () => {
  const link = at(0).sign(plan());
  expect(at(0).open(link)).toEqual(plan());
  expect(at(3_599_999).open(link)).toEqual(plan());
  expect(at(3_660_000).open(link)).toBeUndefined();
});

test('the URL of a link has the path of its kind, at the origin of the client', () => {
  expect(at(0).url('https://lockkeeper.example:8443', plan())).toBe(
    `https://lockkeeper.example:8443/plans/plan-1/log?link=${at(0).sign(plan())}`,
  );
});

test('a link stays the same within a step, and differs for another holder', () => {
  expect(at(59_999).sign(plan())).toBe(at(1).sign(plan()));
  expect(at(60_001).sign(plan())).not.toBe(at(1).sign(plan()));
  expect(at(1).sign(plan('plan-1', 'token~at-2'))).not.toBe(at(1).sign(plan()));
});

test('a link of another kind, resource or holder, or a changed link, is invalid: it has one canonical text', () => {
  const link = at(0).sign(plan());
  const [, id = '', holder = '', expires = '', signature = ''] = link.split('.');
  expect(at(0, 'other').open(link)).toBeUndefined();
  const last = signature.at(-1) ?? '';
  const changed = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
  const texts = [
    `lkl.plan-2.${holder}.${expires}.${signature}`,
    `lkl.${id}.token~at-2.${expires}.${signature}`,
    `lkl.${id}.${holder}.z${expires}.${signature}`,
    `lkl.${id}.${holder}.0${expires}.${signature}`,
    `lkl.${id}.${holder}.${expires.toUpperCase()}A.${signature}`,
    `lkl.${id}.${holder}.${expires}.${changed}`,
    `lkl.${id}.${holder}.${expires}.${signature}=`,
    // The two unused bits of the signature.
    ...['B', 'C', 'D'].map((bits) => `lkl.${id}.${holder}.${expires}.${signature.slice(0, -1)}${next(last, bits)}`),
    `LKL.${id}.${holder}.${expires}.${signature}`,
    ` ${link}`,
    `${link}\n`,
    '',
    'plan-1',
    `${link}x`,
    `${link.slice(0, -10)}nonexisting`,
    `lkl.${id}.${holder}..${signature}`,
    // Format before links had a holder.
    `lkl.${id}.${expires}.${signature}`,
    `${id}.${holder}.${expires}.${signature}`,
    at(0).sign(plan('plan-1', '')),
  ];
  for (const text of texts) expect(at(0).open(text), text).toBeUndefined();
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function next(character: string, bits: string): string {
  return ALPHABET[ALPHABET.indexOf(character) + ALPHABET.indexOf(bits)] ?? '';
}
