import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../../storage/index.ts';
import { chosenTokenText, newTokenText, provesToken, TokenProof, tokenId } from './token-text.ts';

describe('token text', () => {
  let folder: string;
  let keyring: Keyring;
  let other: Keyring;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    keyring = await createKeyring({ file: join(folder, 'one') });
    other = await createKeyring({ file: join(folder, 'two') });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('of a new token contains its id', () => {
    const { id, text, hash } = newTokenText(keyring, '1pABPw8bAhFpmvPj');
    expect(id).toBe('at-1pABPw8bAhFpmvPj');
    expect(tokenId(keyring, text)).toBe(id);
    expect(provesToken(keyring, text, hash)).toBe(true);
  });

  test('is verified again after a successful verification, and no other text is', () => {
    const [one, another] = [newTokenText(keyring, '1pABPw8bAhFpmvPj'), newTokenText(keyring, '1pABPw8bAhFpmvPj')];
    const proof = new TokenProof(one.hash);
    for (const [text, proves] of [
      [another.text, false],
      [one.text, true],
      [another.text, false],
      [one.text, true],
      [`${one.text} `, false],
      ['', false],
    ] as const) {
      expect(proof.proves(keyring, text)).toBe(proves);
    }
    expect(new TokenProof(one.hash).proves(other, one.text)).toBe(false);
  });

  test('chosen by the operator is found by its keyed hash', () => {
    const { id, hash } = chosenTokenText(keyring, 'whatever an operator likes');
    expect(id).toMatch(/^at-[0-9a-f]{32}$/);
    expect(tokenId(keyring, 'whatever an operator likes')).toBe(id);
    expect(tokenId(other, 'whatever an operator likes')).not.toBe(id);
    expect(provesToken(keyring, 'whatever an operator likes!', hash)).toBe(false);
  });

  test('with the same public id and another secret is not verified', () => {
    const one = newTokenText(keyring, '1pABPw8bAhFpmvPj');
    const two = newTokenText(keyring, '1pABPw8bAhFpmvPj');
    expect(tokenId(keyring, two.text)).toBe(one.id);
    expect(provesToken(keyring, two.text, one.hash)).toBe(false);
  });
});
