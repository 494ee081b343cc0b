import { describe, expect, test } from 'vitest';
import { isFromOwnOrigin, isOwnRequest } from './own-request.ts';

const host = 'lock.example:8200';
const mark = { 'x-lockkeeper-console': '1' };

describe('requests of our own pages', () => {
  test.each([
    ['same-origin', true],
    ['same-site', false],
    ['cross-site', false],
    ['none', false],
    ['', false],
  ])('a browser that sends %j', (site, own) => {
    const headers = { host, 'sec-fetch-site': site, origin: `https://${host}` };
    expect(isFromOwnOrigin({ method: 'POST', headers })).toBe(own);
  });

  test.each([
    [`https://${host}`, true],
    ['https://lock.example', false],
    ['https://lock.example:8200.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
    [undefined, false],
  ])('an older browser that sends the origin %j', (origin, own) => {
    expect(isFromOwnOrigin({ method: 'POST', headers: { host, ...(origin && { origin }) } })).toBe(own);
  });

  test.each([
    ['GET', {}, true],
    ['HEAD', {}, true],
    ['LIST', {}, true],
    ['POST', {}, false],
    ['PATCH', {}, false],
    ['DELETE', {}, false],
    ['POST', mark, true],
    ['DELETE', mark, true],
  ])('%s with %j', (method, marked, own) => {
    expect(isOwnRequest({ method, headers: { host, 'sec-fetch-site': 'same-origin', ...marked } })).toBe(own);
    expect(isOwnRequest({ method, headers: { host, 'sec-fetch-site': 'cross-site', ...marked } })).toBe(false);
  });
});
