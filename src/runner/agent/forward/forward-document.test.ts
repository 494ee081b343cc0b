import { expect, test } from 'vitest';
import { readRequest } from './forward-document.ts';

const request = (attributes: object) =>
  readRequest({ data: { id: 'fwd-1', attributes: { method: 'GET', url: 'https://git.example', ...attributes } } });

test("headers of the connection to the provider are the agent's own", () => {
  const headers = {
    ...{ Authorization: 'Bearer x', accept: 'a', Host: 'metadata.internal', 'Content-Length': '1' },
    ...{ 'transfer-encoding': 'chunked', Connection: 'upgrade', upgrade: 'h2c', expect: '100-continue', number: 1 },
  };
  expect(request({ headers }).headers).toEqual({ Authorization: 'Bearer x', accept: 'a' });
});

test.each([
  ['a method that changes the meaning of the connection', { method: 'CONNECT' }],
  ['no URL', { url: 1 }],
])('a request with %s is refused', (_, attributes) => {
  expect(() => request(attributes)).toThrow('cannot read');
});

test('limits of the server are lowered', () => {
  expect(request({ 'max-bytes': 1e300, 'timeout-ms': 1e300 })).toMatchObject({ maxBytes: 2 ** 30, timeoutMs: 600_000 });
  expect(request({ 'max-bytes': 'x', 'timeout-ms': null })).toMatchObject({ maxBytes: 0, timeoutMs: 0 });
});
