import { afterEach, describe, expect, test } from 'vitest';
import {
  createTestClient,
  forger,
  issuer,
  leaf,
  mint,
  type React,
  saying,
  startResponder,
  stopResponders,
} from '../../../test/support/ocsp-responder.ts';
import { createRoot } from '../../pki/index.ts';
import { Certificate } from '../../x509/index.ts';
import type { OcspSettings } from '../ocsp-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

afterEach(stopResponders);

describe('an answer', () => {
  const until = (milliseconds: number) => ({ nextUpdate: new Date(Date.now() + milliseconds) });
  /** Returns whether a second check after this time sends a request. */
  async function asksAgain(react: React, after: number, settings: Partial<OcspSettings> = {}): Promise<boolean> {
    const { url, requests } = await startResponder(react);
    const client = createTestClient();
    await client.check({ serversOverride: [url], ...settings });
    const before = requests.length;
    client.advance(after);
    await client.check({ serversOverride: [url], ...settings });
    return requests.length > before;
  }

  test('is cached until its next update', async () => {
    const react: React = () => mint(until(HOUR));
    expect(await asksAgain(react, 50 * MINUTE)).toBe(false);
    expect(await asksAgain(react, 61 * MINUTE)).toBe(true);
  });

  test('is cached for at most a day', async () => {
    const react: React = () => mint(until(72 * HOUR));
    expect(await asksAgain(react, 23 * HOUR)).toBe(false);
    expect(await asksAgain(react, 25 * HOUR)).toBe(true);
  });

  test('is not cached for longer than its maximum age', async () => {
    const react: React = () => mint(until(72 * HOUR));
    expect(await asksAgain(react, 30 * MINUTE, { thisUpdateMaxAge: 3600 })).toBe(false);
    expect(await asksAgain(react, 59 * MINUTE + 30_000, { thisUpdateMaxAge: 3600 })).toBe(true);
  });

  test('is cached if it is a revocation', async () => {
    expect(await asksAgain(() => mint({ status: 'revoked' }), MINUTE)).toBe(false);
  });

  test.each<[string, React]>([
    ['has no next update', saying({ nextUpdate: null })],
    ['is unknown', saying({ status: 'unknown' })],
    ['is invalid', saying({ signer: forger })],
    ['is missing', () => 503],
  ])('that %s is not cached', async (_, react) => {
    expect(await asksAgain(react, 0)).toBe(true);
  });

  test('of all responders is cached if all agree, until the first answer expires', async () => {
    const [short, long] = await Promise.all([
      startResponder(() => mint(until(HOUR))),
      startResponder(() => mint(until(2 * HOUR))),
    ]);
    const client = createTestClient();
    const settings = { serversOverride: [short.url, long.url], queryAllServers: true };
    for (const minutes of [0, 50, 11]) {
      client.advance(minutes * MINUTE);
      await client.check(settings);
    }
    expect(client.stats()).toMatchObject({ hits: 1, misses: 2 });
    expect(long.requests).toHaveLength(2);
  });

  test('is not used for another certificate, issuer or set of responders', async () => {
    const own = createRoot({ subject: 'Own responder' });
    const { url, requests } = await startResponder(saying({ signer: own }));
    const client = createTestClient();
    const settings = { serversOverride: [url], responderCertificates: [Certificate.parse(own.der)] };
    expect(await client.check(settings)).toMatchObject({ outcome: 'passed' });
    expect(requests).toHaveLength(1);
    expect(await client.check({ serversOverride: [url] })).toMatchObject({ outcome: 'refused' });
    expect(await client.check(settings, issuer.issue())).toMatchObject({ outcome: 'refused' });
    expect(await client.check(settings, leaf, forger)).toMatchObject({ outcome: 'refused' });
    expect(await client.check(settings)).toMatchObject({ outcome: 'passed' });
    expect(client.stats().hits).toBe(1);
  });

  test('is evicted by newer ones, and removed when the cache is cleared', async () => {
    const certificates = [leaf, issuer.issue(), issuer.issue()];
    const started = await Promise.all(certificates.map((certificate) => startResponder(saying({ certificate }))));
    const client = createTestClient({ cacheSize: 3 });
    const checkAll = async () => {
      for (const [i, certificate] of certificates.entries()) {
        await client.check({ serversOverride: [started[i]?.url ?? ''] }, certificate);
      }
      return client.stats().requests;
    };
    expect(await checkAll()).toBe(3);
    expect(await checkAll()).toBe(3);
    client.resize(2);
    expect(client.stats().cached).toBe(2);
    expect(await client.check({ serversOverride: [started[2]?.url ?? ''] }, certificates[2])).toMatchObject({
      outcome: 'passed',
    });
    expect(client.stats().requests).toBe(3);
    client.resize(3);
    expect(await checkAll()).toBe(4);
    client.clear();
    expect(client.stats().cached).toBe(0);
    expect(await checkAll()).toBe(7);
  });
});
