import { afterEach, describe, expect, it } from 'vitest';
import { dial, type Listening, listening, message } from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { plainErrors } from '../request/error-edge.ts';
import { type RateLimitOptions, RateLimits } from './index.ts';

/**
 * Tokens that begin with `good-` authenticate the caller named after the dash; `slow` is looked up until the gate
 * opens.
 */
function service(lookedUp: string[], gate: Promise<void>): Service {
  return {
    name: 'workspaces',
    prefix: '/api',
    errors: plainErrors,
    rate: {
      of: 'workspaces',
      credentials: ['authorization'],
      kindOf: (_method, { parts }) => (parts[1] === 'login' ? 'login' : 'request'),
      refusal: () => 'too often',
    },
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.addHook('onRequest', async (request) => {
        const token = request.headers.authorization ?? '';
        lookedUp.push(token);
        if (token === 'slow') await gate;
        if (!token.startsWith('good-')) throw new AppError('unauthenticated', 'who are you');
        request.event.add({ actor_id: token.split('-')[1] });
      });
      app.get('/*', async () => ({ ok: true }));
    },
  };
}

describe('rate limits', () => {
  let server: Listening;
  let lookedUp: string[];
  let now: number;
  let gate: PromiseWithResolvers<void>;
  const open = async (options: RateLimitOptions, forwarded?: { trustedProxies: string[]; format: 'nginx' }) => {
    lookedUp = [];
    now = 0;
    gate = Promise.withResolvers();
    const rates = (metrics: Listening['metrics']) => new RateLimits(options, metrics, () => now);
    server = await listening({
      services: [service(lookedUp, gate.promise)],
      tls: false,
      rates,
      ...(forwarded && { forwarded }),
    });
  };
  afterEach(() => server.server.close(0));

  const get = async (token: string, path = '/api/things') => {
    const connection = await dial(server);
    const answer = await connection.ask(message('GET', path, { authorization: token }));
    connection.socket.destroy();
    return answer;
  };
  const statuses = async (tokens: readonly string[], path?: string) => {
    const found: number[] = [];
    for (const token of tokens) found.push((await get(token, path)).status);
    return found;
  };

  it('hold for a caller across all tokens, without look-ups for excess requests', async () => {
    await open({ workspaces: 2 });
    expect(await statuses(['good-ann-1', 'good-ann-2', 'good-bob-1'])).toEqual([200, 200, 200]);
    const before = lookedUp.length;
    expect(await statuses(['good-ann-1', 'good-ann-2', 'good-ann-1'])).toEqual([429, 429, 429]);
    expect(lookedUp.length).toBe(before);
    const refused = await get('good-ann-2');
    expect(refused.body).toEqual({ errors: ['too often'] });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '0.500',
    });
    expect(await statuses(['good-bob-1'])).toEqual([200]);
    now += 500;
    expect(await statuses(['good-ann-1', 'good-ann-1'])).toEqual([200, 429]);
  });

  it('return the remaining requests to an authenticated caller', async () => {
    await open({ workspaces: 3 });
    for (const remaining of ['2', '1', '0']) {
      const { headers } = await get('good-ann');
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': remaining });
    }
  });

  it('count credentials that nobody has for their address, and keep those of others out of it', async () => {
    await open({ workspaces: 3 });
    expect(await statuses(['good-ann-1'])).toEqual([200]);
    const made = Array.from({ length: 20 }, (_, i) => `made-up-${i}`);
    expect(await statuses(made)).toEqual([401, 401, 401, ...Array<number>(17).fill(429)]);
    expect(await statuses(['good-ann-1'])).toEqual([200]);
    // This credential is not known to be valid yet.
    expect(await statuses(['good-bob-1'])).toEqual([429]);
    now += 334;
    expect(await statuses(['good-bob-1', 'good-bob-1', 'good-bob-1'])).toEqual([200, 200, 200]);
  });

  it('treat a revoked token like an invented one', async () => {
    await open({ workspaces: 1 });
    expect(await statuses(['good-ann-1'])).toEqual([200]);
    expect(await statuses(['made-up'])).toEqual([401]);
    expect(await statuses(['made-up'])).toEqual([429]);
    expect(server.requests().at(-1)).toMatchObject({
      status: 429,
      rate_limit: 'workspaces',
      error: 'rate limit exceeded',
    });
  });

  it('hold for a client that varies its credential: the excess counts for the address', async () => {
    await open({ workspaces: 3 });
    const spelled = Array.from({ length: 12 }, (_, i) => `good-ann-${i}`);
    expect(await statuses(spelled)).toEqual([...Array<number>(6).fill(200), ...Array<number>(6).fill(429)]);
    now += 1_000;
    expect(await statuses(['good-bob-1', 'good-bob-2', 'good-bob-3'])).toEqual([200, 200, 200]);
  });

  it('hold for logins of an address, and for those that are refused', async () => {
    await open({ logins: 5, failedLogins: 2 });
    expect(await statuses(['good-ann', 'wrong', 'wrong', 'good-ann', 'wrong'], '/api/login')).toEqual([
      200, 401, 401, 429, 429,
    ]);
    expect(await statuses(['good-ann'])).toEqual([200]);
    now += 30_000;
    expect(await statuses(['good-ann', 'good-ann', 'good-ann', 'good-ann'], '/api/login')).toEqual([
      200, 200, 200, 200,
    ]);
    now += 1;
    expect((await get('good-ann', '/api/login')).headers).toMatchObject({ 'x-ratelimit-limit': '5' });
  });

  it('let no more logins in together than may be refused, and forget those that were broken off', async () => {
    await open({ failedLogins: 3 });
    const held = await Promise.all([1, 2, 3].map(() => dial(server)));
    for (const { socket } of held) socket.write(message('GET', '/api/login', { authorization: 'slow' }));
    await expect.poll(() => lookedUp).toHaveLength(3);
    expect((await get('good-ann', '/api/login')).status).toBe(429);
    for (const { socket } of held.slice(1)) socket.destroy();
    await expect.poll(async () => (await get('good-ann', '/api/login')).status).toBe(200);
    gate.resolve();
    expect((await held[0]?.next())?.status).toBe(401);
    expect(await statuses(['wrong', 'wrong', 'good-ann'], '/api/login')).toEqual([401, 401, 429]);
  });

  it('do not count addresses that stand for many clients', async () => {
    await open({ workspaces: 1, failedLogins: 1 }, { trustedProxies: ['127.0.0.1/32'], format: 'nginx' });
    expect(await statuses(['wrong', 'wrong', 'wrong'])).toEqual([401, 401, 401]);
    expect(await statuses(['wrong', 'wrong'], '/api/login')).toEqual([401, 401]);
    expect(await statuses(['good-ann', 'good-ann'])).toEqual([200, 429]);
  });

  it('leave health and metrics alone, and count what they refuse', async () => {
    await open({ workspaces: 1 });
    await statuses(['wrong', 'wrong', 'wrong']);
    expect(await statuses(['', '', '', ''], '/healthz/live')).toEqual([200, 200, 200, 200]);
    const connection = await dial(server);
    const page = await connection.ask(message('GET', '/metrics'));
    expect(page.text).toContain('rate_limited_requests_total{limit="workspaces"} 2');
    expect(page.text).toMatch(/rate_limit_entries 1\b/);
  });

  it('say nothing where there are none', async () => {
    await open({});
    const { headers } = await get('good-ann');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });
});
