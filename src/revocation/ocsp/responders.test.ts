import { afterEach, describe, expect, test } from 'vitest';
import {
  createTestClient,
  forger,
  mint,
  type React,
  saying,
  startResponder,
  stopResponders,
} from '../../../test/support/ocsp-responder.ts';

afterEach(stopResponders);

describe('a retry', () => {
  /** Responds from the given request on. */
  const upAfter = (count: number): React => {
    let asked = 0;
    return () => {
      asked += 1;
      return asked > count ? mint() : 503;
    };
  };

  test('is repeated up to the configured number of times, with both methods each', async () => {
    const { url, requests } = await startResponder(() => 503);
    const client = createTestClient();
    await client.check({ serversOverride: [url] });
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'POST']);
    await client.check({ serversOverride: [url], maxRetries: 2 });
    const methods = requests.slice(2).map((request) => request.split(' ')[0]);
    expect(methods).toEqual(['GET', 'POST', 'POST', 'GET', 'GET', 'POST']);
  });

  test('can succeed', async () => {
    const { url } = await startResponder(upAfter(6));
    expect(await createTestClient().check({ serversOverride: [url], maxRetries: 3 })).toMatchObject({
      outcome: 'passed',
    });
    const second = await startResponder(upAfter(6));
    expect(await createTestClient().check({ serversOverride: [second.url], maxRetries: 2 })).toMatchObject({
      outcome: 'refused',
    });
  });

  test('does not happen after an answer', async () => {
    for (const react of [saying({ status: 'unknown' }), saying({ signer: forger })]) {
      const { url, requests } = await startResponder(react);
      await createTestClient().check({ serversOverride: [url], maxRetries: 4 });
      expect(requests).toHaveLength(2);
    }
  });

  test('stops at the end of the time budget', async () => {
    const { url, requests } = await startResponder(() => 'hang');
    const client = createTestClient({ total: 200, perTry: 50 });
    expect(await client.check({ serversOverride: [url], maxRetries: 1_000_000 })).toMatchObject({ outcome: 'refused' });
    expect(requests.length).toBeGreaterThan(0);
  });
});

describe('the same question at the same time', () => {
  test('is asked once', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const { url, requests } = await startResponder(async () => {
      await release;
      return mint();
    });
    const client = createTestClient();
    const checks = Array.from({ length: 20 }, () => client.check({ serversOverride: [url] }));
    const different = client.check({ serversOverride: [url], queryAllServers: true });
    resolve();
    const verdicts = await Promise.all([...checks, different]);
    expect(verdicts.every(({ outcome }) => outcome === 'passed')).toBe(true);
    expect(requests).toHaveLength(2);
    expect(client.stats()).toMatchObject({ hits: 0, misses: 21, requests: 2, failures: 0 });
  });

  test('is evaluated for each caller', async () => {
    const { url, requests } = await startResponder(() => 503);
    const client = createTestClient();
    const verdicts = await Promise.all([
      client.check({ serversOverride: [url] }),
      client.check({ serversOverride: [url], failOpen: true }),
    ]);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['refused', 'passed']);
    expect(requests).toHaveLength(2);
  });
});
