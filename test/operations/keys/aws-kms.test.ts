import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { CREDENTIALS, Kms, KmsKeys } from '../support/kms.ts';
import { WrappedInstallation } from '../support/wrapped-installation.ts';

/** Environment of the server; commands reach the same keys in another way. */
const wrap = (key: string, endpoint: string, wait = '3s'): string =>
  `{ type: aws-kms, key: "${key}", region: eu-central-1, endpoint: "${endpoint}", wait: ${wait}, ` +
  `access_key_id: ${CREDENTIALS.accessKeyId}, secret_access_key_file: aws-secret }`;

describe('a keyring wrapped by AWS KMS', () => {
  const keys = new KmsKeys();
  const key = keys.make();
  let kms: Kms;
  let ways: Kms;
  let installation: WrappedInstallation;
  let server: RunningServer;

  beforeAll(async () => {
    kms = await Kms.start(keys);
    ways = await Kms.start(keys);
    installation = new WrappedInstallation('sqlite', wrap(key, kms.endpoint));
    writeFileSync(installation.at('aws-secret'), `${CREDENTIALS.secretAccessKey}\n`);
  });
  afterAll(async () => {
    await installation.remove();
    await kms.stop();
    await ways.stop();
  });

  it('is wrapped, and unwrapped as a check before the file is written', async () => {
    await installation.init();
    expect(kms.asked.slice(0, 2)).toEqual(['TrentService.Encrypt', 'TrentService.Decrypt']);
    expect(installation.file().wrap).toMatchObject({ type: 'aws-kms', name: `${key} in eu-central-1` });
  });

  it('is unwrapped once at a start', async () => {
    const before = kms.asked.length;
    server = await installation.serve();
    await installation.add(server, 'first', 'sealed by key 1');
    expect(kms.asked.slice(before)).toEqual(['TrentService.Decrypt']);
  });

  it('stays in use while the KMS is unavailable and the file changes, and is read when the KMS is back', async () => {
    await kms.stop();
    const beside = ['--set', `keyring_wrap.endpoint=${ways.endpoint}`];
    await installation.done(['keyring', 'rotate', '--seals-in', '0s', ...beside]);
    const told =
      /the keyring \S+ cannot be unwrapped by aws-kms \(\S+ in eu-central-1\): AWS cannot be reached \(ECONNREFUSED\)/g;
    await expect.poll(() => server.command.stdout, { timeout: 30_000 }).toMatch(told);
    await installation.add(server, 'second', 'sealed by key 1 all the same');
    expect(await installation.values(server)).toHaveLength(2);
    await kms.resume();
    // The server encrypts the values of the old key again: it has the new key.
    server.command.signal('SIGHUP');
    const sealed = async () =>
      JSON.parse(await installation.done(['keyring', 'list', '--format', 'json'])).keys[0].values;
    await expect.poll(sealed, { timeout: 60_000, interval: 1000 }).toBe(2);
    // The server tries every five seconds, and always reports the same error.
    expect(new Set(server.command.stdout.match(told)).size).toBe(1);
    await server.end('SIGTERM');
  });

  it.each([
    ['hangs', /cannot be unwrapped by aws-kms .*: no answer within \d\.?\d* s/],
    ['endless', /: no answer within /],
    [
      'refuses',
      /: the credentials do not allow it: they need kms:Encrypt and kms:Decrypt on the key \(AccessDeniedException, status 400\)/,
    ],
    ['breaks', /: AWS refused the request \(KMSInternalException, status 500\)/],
    ['garbage', /: AWS (cannot be reached|refused the request) \(/],
    ['another-key', /cannot be used: it was changed after it had been wrapped/],
  ] as const)('fails with a clear error when the KMS %s', async (mood, reason) => {
    kms.mood = mood;
    const { code, stdout, stderr } = await installation.refusal();
    kms.mood = 'well';
    expect([code, stdout.includes('"level":50')]).toEqual([1, false]);
    expect(stderr).toMatch(reason);
  });

  it('fails with a clear error for wrong credentials, and for another key', async () => {
    writeFileSync(installation.at('aws-secret'), 'another');
    expect((await installation.refusal()).stderr).toMatch(
      /the secret access key does not belong to the access key, or the clock/,
    );
    writeFileSync(installation.at('aws-secret'), CREDENTIALS.secretAccessKey);
    const ended = await installation.run(['keyring', 'list', '--set', `keyring_wrap.key=${keys.make()}`]);
    expect(ended.stderr).toMatch(
      /another key has wrapped the file, or the file was changed \(InvalidCiphertextException/,
    );
  });

  it('stays as it was when it cannot be wrapped', async () => {
    const before = installation.file();
    kms.mood = 'refuses';
    installation.configure(wrap(key, ways.endpoint), { name: 'ways.yaml' });
    const { code, stderr } = await installation.run(['keyring', 'rewrap', '--was', installation.at('ways.yaml')]);
    kms.mood = 'well';
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be wrapped by aws-kms: the credentials do not allow it/),
    ]);
    expect(installation.file()).toEqual(before);
  });

  it('is wrapped by another key, and the previous key no longer unwraps it', async () => {
    installation.configure(wrap(key, kms.endpoint), { name: 'before.yaml' });
    const next = keys.make();
    installation.configure(wrap(next, kms.endpoint));
    await installation.done(['keyring', 'rewrap', '--was', installation.at('before.yaml')]);
    expect(await installation.done(['keyring', 'show'])).toContain(`by aws-kms, ${next} in eu-central-1`);
    const { stderr } = await installation.run(['serve'], { config: 'before.yaml' });
    expect(stderr).toMatch(/another key has wrapped the file/);
    await (await installation.serve()).end('SIGTERM');
  });

  it('logs no secret', () => {
    const { printed } = installation;
    expect(printed.length).toBeGreaterThan(1000);
    for (const secret of [CREDENTIALS.secretAccessKey, 'Plaintext', String(installation.file().content)])
      expect(printed).not.toContain(secret);
  });
});

describe('a keyring wrapped by AWS KMS, with several workers on PostgreSQL', () => {
  const keys = new KmsKeys();
  const key = keys.make();
  let kms: Kms;
  let installation: WrappedInstallation;
  let server: RunningServer;

  beforeAll(async () => {
    kms = await Kms.start(keys);
    installation = new WrappedInstallation('postgres', wrap(key, kms.endpoint, '1s'));
    writeFileSync(installation.at('aws-secret'), CREDENTIALS.secretAccessKey);
    installation.configure(wrap(key, kms.endpoint, '1s'), { workers: 2 });
    await installation.init();
    server = await installation.serve();
    await installation.add(server, 'first', 'a value');
  });
  afterAll(async () => {
    await installation.remove();
    await kms.stop();
  });

  it('is unwrapped by each of them', () => {
    expect(kms.asked.slice(-2)).toEqual(['TrentService.Decrypt', 'TrentService.Decrypt']);
  });

  it('stays in use in running workers while the KMS is unavailable, and in new ones when it is back', async () => {
    await kms.stop();
    server.command.signal('SIGHUP');
    await expect
      .poll(() => server.command.stdout, { timeout: 60_000 })
      .toMatch(/"msg":"a worker could not be replaced"/);
    expect(server.command.stderr).toMatch(/cannot be unwrapped by aws-kms .*: AWS cannot be reached \(ECONNREFUSED\)/);
    expect(await installation.values(server)).toEqual(['a value']);
    await kms.resume();
    server.command.signal('SIGHUP');
    await expect.poll(() => server.command.stdout, { timeout: 60_000 }).toMatch(/"msg":"all workers were replaced"/);
    expect(await installation.values(server)).toEqual(['a value']);
    await server.end('SIGTERM');
  });
});
