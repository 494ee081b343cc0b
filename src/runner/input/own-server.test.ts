import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolders } from '../isolation/folders.ts';
import { type OwnServer, writeServerSettings } from './own-server.ts';

/** Returns the environment of an engine for such a server, and the files that it refers to. */
function told(server: Partial<OwnServer>) {
  const folder = mkdtempSync(join(tmpdir(), 'own-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const here = createFolders(join(folder, 'run'), 'network');
  const variables = writeServerSettings(
    { address: 'https://example.com', token: null, ca: null, ...server },
    here,
    here,
  );
  const text = (name: string) => readFileSync(join(here.told, name), 'utf8');
  return { variables, here, text, has: (name: string) => existsSync(join(here.told, name)) };
}

test('nothing without a token and a CA', () => {
  expect(told({}).variables).toEqual({});
});

test('the token in the variable of the host', () => {
  const { variables, has } = told({ address: 'https://lock-keeper.example.com/', token: 'a' });
  expect(variables).toEqual({ TF_TOKEN_lock__keeper_example_com: 'a' });
  expect(has('engine.tfrc')).toBe(false);
});

test('the token in a file, if the URL has a port', () => {
  const { variables, here, text } = told({ address: 'https://127.0.0.1:8200/', token: 'a' });
  expect(variables).toEqual({ TF_CLI_CONFIG_FILE: join(here.told, 'engine.tfrc') });
  expect(text('engine.tfrc')).toBe('credentials "127.0.0.1:8200" {\n  token = "a"\n}\n');
});

test('the CA, in addition to those of the machine', () => {
  const { variables, here, text } = told({ ca: '-----BEGIN CERTIFICATE-----\nours' });
  expect(variables).toEqual({ SSL_CERT_FILE: join(here.told, 'trusted.pem') });
  const system = '/etc/ssl/certs/ca-certificates.crt';
  expect(text('trusted.pem')).toMatch(/\nours$/m);
  if (existsSync(system)) expect(text('trusted.pem')).toContain(readFileSync(system, 'utf8'));
});
