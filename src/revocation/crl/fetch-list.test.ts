import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { FetchError } from '../../lib/http/fetch-error.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import { fetchList, NO_VALIDATORS } from './fetch-list.ts';

const fetch = createGuardedFetch({ deniedBlocks: [] });
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ca.crl`;
}

const VALIDATORS = { etag: '"v1"', lastModified: 'Sat, 21 Nov 2026 12:00:00 GMT' };

describe('fetching a CRL', () => {
  test('returns its bytes and its validators', async () => {
    const headers = { etag: VALIDATORS.etag, 'last-modified': VALIDATORS.lastModified };
    const url = await serve((_, response) => response.writeHead(200, headers).end('the list'));
    const fetched = await fetchList(fetch, url, NO_VALIDATORS);
    expect(fetched?.validators).toEqual(VALIDATORS);
    const pieces: Uint8Array[] = [];
    for await (const piece of fetched?.body ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('the list');
  });

  test('sends a conditional request, and reports that nothing is newer', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(304).end();
    });
    expect(await fetchList(fetch, url, VALIDATORS)).toBeUndefined();
    await fetchList(fetch, url, NO_VALIDATORS);
    expect(seen[0]).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': VALIDATORS.lastModified });
    expect(Object.keys(seen[1] ?? {})).not.toContain('if-none-match');
  });

  test('follows redirects, and ignores validators that are too long', async () => {
    const target = await serve((_, response) => response.writeHead(200, { etag: `"${'x'.repeat(300)}"` }).end());
    const url = await serve((_, response) => response.writeHead(302, { location: target }).end());
    expect((await fetchList(fetch, url, NO_VALIDATORS))?.validators).toEqual(NO_VALIDATORS);
  });

  test('fails on any other status', async () => {
    const url = await serve((_, response) => response.writeHead(503).end());
    await expect(fetchList(fetch, url, NO_VALIDATORS)).rejects.toThrow(FetchError);
    await expect(fetchList(fetch, url, NO_VALIDATORS)).rejects.toThrow('status 503');
  });

  test('stops when the caller aborts', async () => {
    const url = await serve(() => {});
    const controller = new AbortController();
    const fetching = fetchList(fetch, url, NO_VALIDATORS, controller.signal);
    controller.abort();
    await expect(fetching).rejects.toMatchObject({ kind: 'aborted' });
  });
});
