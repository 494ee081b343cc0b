import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from './index.ts';

const load = (wrap: string, environment: Record<string, string> = {}): Config['keyring'] =>
  loadConfig(
    {
      file: `listeners: [{ address: "127.0.0.1:0", services: [access], plain_http: true }]
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
${wrap === '' ? '' : `keyring_wrap: ${wrap}`}`,
      environment,
      flags: [],
    },
    '/etc/lockkeeper',
  ).keyring;

const RECIPIENT = `MCowBQYDK2VuAyEA${'A'.repeat(43)}=`;

describe('keyring_wrap', () => {
  it.each([
    ['', {}, { file: '/etc/lockkeeper/keyring.json' }],
    ['{ type: credential, credential: kek }', {}, { type: 'credential', key: { name: 'kek' } }],
    [
      '{ type: credential }',
      { LOCKKEEPER_KEYRING_WRAP_KEY_FILE: '/run/credentials/kek' },
      { type: 'credential', key: { file: '/run/credentials/kek' } },
    ],
    [
      '{ type: transit, address: "https://vault:8200/", key: k }',
      { LOCKKEEPER_KEYRING_WRAP_TOKEN: '007' },
      { type: 'transit', address: 'https://vault:8200', mount: 'transit', key: 'k', login: { token: { text: '007' } } },
    ],
    [
      '{ type: transit, address: "http://127.0.0.1:8100", key: k }',
      {},
      { type: 'transit', address: 'http://127.0.0.1:8100', mount: 'transit', key: 'k' },
    ],
    [
      '{ type: pkcs11, module: hsm.so, token_label: t, key: k }',
      { LOCKKEEPER_KEYRING_WRAP_PIN: '0123' },
      {
        ...{ type: 'pkcs11', module: '/etc/lockkeeper/hsm.so', tokenLabel: 't', key: 'k' },
        ...{ mechanism: 'aes-key-wrap', hash: 'sha256', pin: { text: '0123' } },
      },
    ],
    [
      '{ type: aws-kms, key: alias/k, region: eu-central-1 }',
      {},
      { type: 'aws-kms', key: 'alias/k', region: 'eu-central-1' },
    ],
  ])('%s is read', (wrap, environment, expected) => {
    const read = load(wrap, environment);
    expect(read.wrap === undefined ? read : read.wrap.by).toEqual(expected);
  });

  it('says who opens it otherwise, and how long is waited', () => {
    const { wrap } = load(`{ type: credential, credential: kek, recovery_recipients: ["${RECIPIENT}"], wait: 5s }`);
    expect(wrap).toMatchObject({ recipients: [RECIPIENT], waitSeconds: 5 });
    expect(load('{ type: credential, credential: kek }').wrap).toMatchObject({ recipients: [], waitSeconds: 30 });
  });

  it.each([
    ['{ type: none }', /keyring_wrap.type: found "none"; allowed: credential, transit, aws-kms, pkcs11/],
    ['{ type: credential }', /keyring_wrap.key_file: missing; allowed: a path, or keyring_wrap.credential/],
    ['{ type: credential, credential: ../x }', /keyring_wrap.credential: found/],
    ['{ type: credential, credential: a, key_file: b }', /keyring_wrap.credential: found beside key_file/],
    [
      '{ type: credential, credential: a, region: b }',
      /keyring_wrap.region: found beside type credential; allowed: credential, key_file/,
    ],
    ['{ type: credential, credential: a, wait: 46s }', /keyring_wrap.wait: found "46s"; allowed: up to 45s/],
    [
      '{ type: credential, credential: a, recovery_recipients: [x] }',
      /recovery_recipients\[0\]: found "x"; allowed: up to 8 public keys/,
    ],
    ['{ type: transit, key: k }', /keyring_wrap.address: missing/],
    [
      '{ type: transit, address: "http://vault:8200", key: k }',
      /found plain http; allowed: https, or http on this machine/,
    ],
    ['{ type: transit, address: "https://vault:8200" }', /keyring_wrap.key: missing/],
    [
      '{ type: transit, address: "https://v", key: k, token: a, token_file: b }',
      /keyring_wrap.token: found beside token_file/,
    ],
    ['{ type: transit, address: "https://v", key: k, certificate_file: b }', /keyring_wrap.private_key_file: missing/],
    ['{ type: transit, address: "https://v", key: k, token: "two words" }', /keyring_wrap.token: found something else/],
    ['{ type: aws-kms, key: k, region: r, endpoint: "http://kms:80" }', /keyring_wrap.endpoint: found plain http/],
    ['{ type: aws-kms, key: k }', /keyring_wrap.region: missing/],
    ['{ type: aws-kms, key: k, region: r, access_key_id: a }', /keyring_wrap.secret_access_key_file: missing/],
    ['{ type: pkcs11, module: m, token_label: t, key: k }', /keyring_wrap.pin_file: missing/],
    [
      '{ type: pkcs11, module: m, token_label: t, key: k, pin: p, hash: sha1 }',
      /keyring_wrap.hash: found beside aes-key-wrap/,
    ],
  ])('%s is refused', (wrap, reason) => {
    expect(() => load(wrap)).toThrow(reason);
  });
});
