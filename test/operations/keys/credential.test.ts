import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { WrappedInstallation } from '../support/wrapped-installation.ts';

/** Like `LoadCredentialEncrypted=`: encrypted at rest, and decrypted in a folder of the service while it runs. */
function loadCredential(installation: WrappedInstallation, folder: string, name: string): string {
  const encrypted = installation.at(`${name}.cred`);
  const into = installation.at(folder);
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const secret = `${randomBytes(32).toString('base64')}\n`;
  const options = { stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'] };
  execFileSync('systemd-creds', ['encrypt', '--with-key=host', `--name=${name}`, '-', encrypted], {
    ...options,
    input: secret,
  });
  expect(readFileSync(encrypted, 'utf8')).not.toContain(secret.trim());
  const opened = execFileSync('systemd-creds', ['decrypt', `--name=${name}`, encrypted, '-'], options);
  // With an access control list for its user, which the file mode shows as a group permission.
  writeFileSync(`${into}/${name}`, opened, { mode: 0o440 });
  return secret.trim();
}

describe.each(['sqlite', 'postgres'] as const)('a keyring wrapped by a credential of systemd, on %s', (kind) => {
  const installation = new WrappedInstallation(kind, '{ type: credential, credential: keyring-key }');
  const CREDENTIALS_DIRECTORY = installation.at('credentials');
  let server: RunningServer;
  let secret: string;
  let plainHash: string;
  beforeAll(() => {
    installation.environment.CREDENTIALS_DIRECTORY = CREDENTIALS_DIRECTORY;
    secret = loadCredential(installation, 'credentials', 'keyring-key');
  });
  afterAll(() => installation.remove());

  it('is wrapped from the start', async () => {
    await installation.init();
    const { format, wrap, recovery, ...rest } = installation.file() as { format: number; wrap: object; recovery: [] };
    expect([format, recovery, Object.keys(rest)]).toEqual([2, [], ['fingerprint', 'content']]);
    expect(wrap).toMatchObject({ type: 'credential', name: 'the credential keyring-key' });
    expect(statSync(installation.keyring).mode & 0o777).toBe(0o600);
    const shown = await installation.done(['keyring', 'show']);
    expect(shown).toMatch(/^wrapped {7}by credential, the credential keyring-key, 20\S+Z\nrecovery {6}none: if/m);
  });

  it('is unwrapped by the server, which loads a new key while it runs', async () => {
    server = await installation.serve();
    await installation.add(server, 'first', 'sealed by key 1');
    const before = installation.file();
    await installation.done(['keyring', 'rotate', '--seals-in', '0s']);
    expect(installation.file().content).not.toBe(before.content);
    expect(installation.file().wrap).not.toEqual(before.wrap);
    server.command.signal('SIGHUP');
    await installation.add(server, 'second', 'sealed by key 2');
    await expect.poll(() => installation.keys(), { timeout: 60_000, interval: 1000 }).toEqual({ 1: 0, 2: 2 });
    await installation.done(['keyring', 'prune', '1', '--drop-batch-tokens']);
    expect(await installation.values(server)).toEqual(['sealed by key 1', 'sealed by key 2']);
    await server.end('SIGTERM');
  });

  it.runIf(kind === 'sqlite')('cannot be unwrapped without the credential, or with another one', async () => {
    const without = await installation.refusal({ CREDENTIALS_DIRECTORY: '' });
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(
        /there is no \$CREDENTIALS_DIRECTORY: start the process by systemd with LoadCredentialEncrypted=keyring-key/,
      ),
    ]);
    loadCredential(installation, 'others', 'keyring-key');
    const { stderr } = await installation.refusal({ CREDENTIALS_DIRECTORY: installation.at('others') });
    expect(stderr).toMatch(
      /keyring\.json cannot be unwrapped by credential \(the credential keyring-key\): it is another key than/,
    );
  });

  it('is refused unwrapped when the configuration says that it is wrapped, and vice versa', async () => {
    await installation.done(['keyring', 'unwrap', '--to', installation.at('plain.json')]);
    expect(statSync(installation.at('plain.json')).mode & 0o777).toBe(0o600);
    plainHash = String(installation.file(installation.at('plain.json')).hash);
    expect(plainHash).toMatch(/^\S{44}$/);
    if (kind === 'postgres') return;
    const wrapped = readFileSync(installation.keyring, 'utf8');
    writeFileSync(installation.keyring, readFileSync(installation.at('plain.json')));
    const refused = await installation.refusal();
    expect(refused.stderr).toMatch(/keyring\.json is not wrapped, but keyring_wrap is configured/);
    expect(await installation.done(['keyring', 'show'])).toMatch(
      /^keyring_wrap {2}credential: this server refuses the file as it is$/m,
    );
    writeFileSync(installation.keyring, wrapped);
    const config = installation.configure('', { name: 'plain.yaml' });
    const { stderr } = await installation.run(['serve'], { config });
    expect(stderr).toMatch(
      /keyring\.json is wrapped by credential \(the credential keyring-key\): configure this in keyring_wrap/,
    );
  });

  it.runIf(kind === 'sqlite')('may be a credential itself, which others are kept from by the folder', async () => {
    const config = installation.configure('', { name: 'plain.yaml', keyring: 'credentials/keyring.json' });
    writeFileSync(installation.at('credentials/keyring.json'), readFileSync(installation.at('plain.json')), {
      mode: 0o440,
    });
    expect(Object.keys(await installation.keys({ config }))).toEqual(['2']);
    const { stderr } = await installation.run(['keyring', 'list'], {
      config,
      environment: { CREDENTIALS_DIRECTORY: '/nowhere' },
    });
    expect(stderr).toMatch(/keyring\.json can be accessed by other users than its owner: chmod 600 it/);
  });

  it('changes from plain to wrapped, and nodes can start at any moment', async () => {
    const plain = installation.configure('', { name: 'plain.yaml', keyring: 'plain.json' });
    const wrapped = installation.configure('{ type: credential, credential: keyring-key }', {
      ...{ name: 'wrapped.yaml', keyring: 'wrapped.json', workers: kind === 'sqlite' ? 1 : 2 },
    });
    const old = await installation.serve({ config: plain });
    await installation.done(['keyring', 'wrap', '--from', installation.at('plain.json')], { config: wrapped });
    if (kind === 'sqlite') await old.end('SIGTERM');
    const next = await installation.serve({ config: wrapped });
    await installation.add(next, 'third', 'written by the wrapped one');
    // On PostgreSQL both nodes serve at once, and either can restart.
    if (kind === 'postgres') {
      expect(await installation.values(old)).toContain('written by the wrapped one');
      await old.end('SIGTERM');
      await (await installation.serve({ config: plain })).end('SIGTERM');
    }
    expect(await installation.values(next)).toHaveLength(3);
    await next.end('SIGTERM');
    const again = await installation.run(['keyring', 'wrap', '--from', installation.at('plain.json')], {
      config: wrapped,
    });
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/wrapped\.json already exists: it is never replaced/),
    ]);
  });

  it.runIf(kind === 'sqlite')('can be wrapped in place, while a server continues with its loaded keys', async () => {
    const config = installation.configure('', { name: 'plain.yaml', keyring: 'plain.json' });
    const running = await installation.serve({ config });
    const wrapped = installation.configure('{ type: credential, credential: keyring-key }', {
      ...{ name: 'in-place.yaml', keyring: 'plain.json' },
    });
    await installation.done(['keyring', 'wrap'], { config: wrapped });
    running.command.signal('SIGHUP');
    await expect
      .poll(() => running.command.stdout)
      .toMatch(/plain\.json is wrapped by credential .*configure this in keyring_wrap/);
    expect(await installation.values(running)).toHaveLength(3);
    await running.end('SIGTERM');
    await (await installation.serve({ config: wrapped })).end('SIGTERM');
    const twice = await installation.run(['keyring', 'wrap'], { config: wrapped });
    expect([twice.code, twice.stderr]).toEqual([
      5,
      expect.stringMatching(/is already wrapped; use `lockkeeper keyring rewrap`/),
    ]);
  });

  it.runIf(kind === 'sqlite')('opens with the recovery key when the credential is lost', async () => {
    const made = await installation.done(['keyring', 'recovery-key', '--out', installation.at('recovery.pem')], {
      config: '',
    });
    expect(statSync(installation.at('recovery.pem')).mode & 0o777).toBe(0o600);
    const recipient = /^public key {3}(\S+)/.exec(made)?.[1] ?? '';
    installation.configure(`{ type: credential, credential: keyring-key, recovery_recipients: ["${recipient}"] }`);
    await installation.done(['keyring', 'rewrap']);
    expect(await installation.done(['keyring', 'show'])).toContain(`recovery      ${recipient}`);
    // The machine is lost, and with it the only systemd that could decrypt the credential.
    renameSync(CREDENTIALS_DIRECTORY, installation.at('lost'));
    loadCredential(installation, 'credentials', 'keyring-key');
    const lost = await installation.refusal();
    expect(lost.stderr).toMatch(/If that is lost for good, `lockkeeper keyring recover` opens the file/);
    await installation.done(['keyring', 'recovery-key', '--out', installation.at('other.pem')], { config: '' });
    const other = await installation.run(['keyring', 'recover', '--recovery-key', installation.at('other.pem')]);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining(`does not open it; those that do: ${recipient}`),
    ]);
    await installation.done(['keyring', 'recover', '--recovery-key', installation.at('recovery.pem')]);
    const recovered = await installation.serve();
    expect(await installation.values(recovered)).toHaveLength(3);
    await recovered.end('SIGTERM');
  });

  it('logs no key', () => {
    const { printed } = installation;
    expect(printed.length).toBeGreaterThan(1000);
    for (const key of [secret, plainHash, String(installation.file().content)]) expect(printed).not.toContain(key);
  });
});
