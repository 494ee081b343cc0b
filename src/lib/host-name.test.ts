import { expect, test } from 'vitest';
import { canonicalHost } from './host-name.ts';

test.each([
  ['ocsp.example.com', 'ocsp.example.com'],
  ['OCSP.Example.COM.', 'ocsp.example.com'],
  ['localhost', 'localhost'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['responder_1.internal', 'responder_1.internal'],
])('%s is the host %s', (text, host) => {
  expect(canonicalHost(text)).toBe(host);
});

test.each([
  '',
  '.',
  'a..b',
  '-a.example',
  '*.example.com',
  'https://ocsp.example.com',
  'ocsp.example.com:80',
  'user@host',
  '127.1',
  '127.0.0.1',
  '2130706433',
  '0x7f.0x1',
  '::1',
  '10.0.0.0/8',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
])('%j is not a host name', (text) => {
  expect(canonicalHost(text)).toBeUndefined();
});
