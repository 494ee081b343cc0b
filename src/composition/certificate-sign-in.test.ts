import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { ListenerConfig } from '../config/index.ts';
import { certificateSignIn } from './certificate-sign-in.ts';

type Ask = Parameters<typeof certificateSignIn>[2];

const listener = (port: number, more: Partial<ListenerConfig> = {}): ListenerConfig => ({
  host: '0.0.0.0',
  port,
  services: ['access', 'console'],
  tls: { certificateFile: 'a', privateKeyFile: 'b', minVersion: 'TLSv1.2' },
  requestClientCertificate: true,
  ...more,
});
const quiet = listener(8200, { requestClientCertificate: false });
const asking = listener(8201);
const others = [listener(0), listener(8202, { services: ['workspaces', 'console'] })];
const request = { hostname: 'lock.example' } as FastifyRequest;
const nobody = { ask: async () => ({}) } as unknown as Ask;

describe('signing in by certificate', () => {
  test('happens where one is asked for, else a listener that asks is led to', () => {
    const all = [quiet, ...others, asking];
    expect(certificateSignIn(asking, all, nobody).addressFor(request)).toBe('/app/~session');
    expect(certificateSignIn(quiet, all, nobody).addressFor(request)).toBe(
      'https://lock.example:8201/app/~session/certificate',
    );
    expect(certificateSignIn(quiet, [quiet, ...others], nobody).addressFor(request)).toBeUndefined();
  });

  test('a proxy that forwards certificates is as good as a listener that asks', () => {
    const forwarded = { trustedProxies: ['10.0.0.1/32'], format: 'rfc9440' } as const;
    expect(certificateSignIn(listener(80, { requestClientCertificate: false, forwarded }), [], nobody).isHere).toBe(
      true,
    );
  });

  test('is refused if no listener requests certificates', async () => {
    await expect(certificateSignIn(quiet, [quiet], nobody).logIn(request, undefined)).rejects.toThrow(
      'No listener of this server requests client certificates',
    );
  });

  test.each([
    ['https://lock.example:8200/app/acme/workspaces?name=a', true],
    ['https://lock.example:8200/app', true],
    ['https://lock.example:8201/app/', true],
    ['https://lock.example:8300/app', false],
    ['https://lock.example/app', false],
    ['https://lock.example:8200/api/v2/ping', false],
    ['https://lock.example:8200/application', false],
    ['https://lock.example:8200@evil.example/app', false],
    ['https://user@lock.example:8200/app', false],
    ['http://lock.example:8200/app', false],
    ['https://evil.example:8200/app', false],
    ['//lock.example:8200/app', false],
    ['/app', false],
    ['javascript:alert(1)', false],
  ])('leads back to %s: %s', (to, isLed) => {
    const { wayBack } = certificateSignIn(asking, [quiet, asking], nobody);
    expect(wayBack(request, to)).toBe(isLed ? to : undefined);
  });
});
