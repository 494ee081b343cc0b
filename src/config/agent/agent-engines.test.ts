import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadAgentConfig, readEmbeddedConfig } from './agent-config.ts';

const HEAD = 'address: https://lockkeeper.example.com\n';
const load = (text: string, flags: Record<string, string> = {}) =>
  loadAgentConfig({ file: { text: HEAD + text, folder: '/etc/agent' }, environment: {}, flags }, false);

test('an agent downloads engines from the vendors, until somebody says otherwise', () => {
  expect(load('').engineDownloads).toEqual({ mirrors: {}, keyFiles: {} });
  expect(load('engine_downloads: false').engineDownloads).toBeNull();
  expect(load('engine_downloads: true', { engine_downloads: 'false' }).engineDownloads).toBeNull();
});

test('an embedded agent downloads engines only if the setting says so', () => {
  const line = { address: 'http://127.0.0.1:8200', token: 'x' };
  expect(readEmbeddedConfig(line).engineDownloads).toBeNull();
  expect(readEmbeddedConfig({ ...line, engine_downloads: true }).engineDownloads).not.toBeNull();
});

test('mirrors and keys are those of each engine; files are found from where they are written', () => {
  const text = `
engine_mirrors: { opentofu: 'https://mirror.example.com/tofu' }
engine_keys: { opentofu: keys/ours.asc, terraform: /srv/other.asc }`;
  expect(load(text).engineDownloads).toEqual({
    mirrors: { opentofu: 'https://mirror.example.com/tofu' },
    keyFiles: { opentofu: resolve('/etc/agent/keys/ours.asc'), terraform: '/srv/other.asc' },
  });
});

test.each([
  ['engine_downloads: sometimes', 'engine_downloads: found "sometimes"; allowed: true, false'],
  [
    'engine_mirrors: { pulumi: https://a.example.com }',
    'engine_mirrors.pulumi: unknown key; allowed: opentofu, terraform',
  ],
  ['engine_mirrors: { opentofu: ftp://a.example.com }', 'engine_mirrors.opentofu: found "ftp://a.example.com"'],
  ['engine_mirrors: { opentofu: https://user:secret@a.example.com }', 'engine_mirrors.opentofu: found'],
  ['engine_keys: keys.asc', 'engine_keys: found'],
  ['engine_keys: [keys.asc]', 'engine_keys[0]: unknown key'],
])('%s is refused', (text, problem) => {
  expect(() => load(text)).toThrow(problem);
});
