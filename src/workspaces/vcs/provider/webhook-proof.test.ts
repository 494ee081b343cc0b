import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { hasHmac, sameSecret } from './webhook-proof.ts';

const body = Buffer.from('{"ref":1}');
const mac = createHmac('sha256', 'secret').update(body).digest('hex');

it('an HMAC proves the body and the secret', () => {
  expect(hasHmac({ body, secret: 'secret' }, mac)).toBe(true);
  expect(hasHmac({ body, secret: 'secret' }, `sha256=${mac}`, 'sha256=')).toBe(true);
  for (const presented of [undefined, '', mac.slice(1), `${mac}0`, `sha256=${mac}`, mac.replace(/.$/, 'x')])
    expect(hasHmac({ body, secret: 'secret' }, presented)).toBe(false);
  expect(hasHmac({ body, secret: 'other' }, mac)).toBe(false);
  expect(hasHmac({ body: Buffer.from('{"ref":2}'), secret: 'secret' }, mac)).toBe(false);
});

it('an empty secret proves nothing', () => {
  const empty = createHmac('sha256', '').update(body).digest('hex');
  expect(hasHmac({ body, secret: '' }, empty)).toBe(false);
  expect(sameSecret('', '')).toBe(false);
  expect(sameSecret(undefined, 'a')).toBe(false);
  expect(sameSecret('a', 'a')).toBe(true);
});
