import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pkcs11js, SoftToken } from '../support/token.ts';
import { WrappedInstallation } from '../support/wrapped-installation.ts';

describe('a keyring wrapped by a security module', () => {
  const token = new SoftToken('lockkeeper');
  const wrap = (more: string): string =>
    `{ type: pkcs11, module: ${token.module}, token_label: lockkeeper, pin_file: pin, wait: 3s, ${more} }`;
  const installation = new WrappedInstallation('sqlite', wrap('key: aes'), token.environment);
  beforeAll(() => {
    installation.environment.NODE_PATH = pkcs11js();
    token.makeKey('aes', 'AES:32');
    token.makeKey('another', 'AES:32');
    token.makeKey('rsa', 'rsa:2048');
    writeFileSync(installation.at('pin'), `${SoftToken.PIN}\n`);
  });
  afterAll(async () => {
    await installation.remove();
    token.remove();
  });

  it('is unwrapped with AES key wrap, and the key never leaves the module', async () => {
    await installation.init();
    expect(await installation.done(['keyring', 'show'])).toMatch(/by pkcs11, aes on the token lockkeeper, 20/);
    const server = await installation.serve();
    await installation.add(server, 'first', 'a value');
    await installation.done(['keyring', 'rotate', '--seals-in', '0s']);
    server.command.signal('SIGHUP');
    await expect.poll(() => installation.keys(), { timeout: 60_000, interval: 1000 }).toEqual({ 1: 0, 2: 1 });
    await server.end('SIGTERM');
  });

  it('can be unwrapped with RSA-OAEP, too', async () => {
    writeFileSync(installation.at('aes.yaml'), readFileSync(installation.at('lockkeeper.yaml')));
    installation.configure(wrap('key: rsa, mechanism: rsa-oaep, hash: sha1'));
    await installation.done(['keyring', 'rewrap', '--was', installation.at('aes.yaml')]);
    const server = await installation.serve();
    expect(await installation.values(server)).toEqual(['a value']);
    await server.end('SIGTERM');
  });

  it.each([
    ['another key', wrap('key: another'), {}, /another key has wrapped the file, or the file was changed \(CKR_\w+\)/],
    ['a key that is not there', wrap('key: none'), {}, /the token has no key none/],
    [
      'a token that is not there',
      wrap('key: aes').replace('token_label: lockkeeper', 'token_label: other'),
      {},
      /there is no token other/,
    ],
    [
      'a library that is none',
      wrap('key: aes').replace(token.module, '/dev/null'),
      {},
      /the library \/dev\/null cannot be loaded/,
    ],
    ['no pkcs11js', wrap('key: aes'), { NODE_PATH: '' }, /the package pkcs11js is not installed: npm install/],
    [
      'what it does not know',
      wrap('key: rsa, mechanism: rsa-oaep'),
      {},
      /choose another keyring_wrap.mechanism or keyring_wrap.hash/,
    ],
    ['a wrong PIN', wrap('key: aes').replace('pin_file: pin', 'pin: "999999"'), {}, /the PIN is wrong/],
  ])('fails with a clear error for %s', async (_, configured, more, reason) => {
    installation.configure(configured, { name: 'wrong.yaml' });
    const { code, stderr } = await installation.run(['keyring', 'rewrap'], { config: 'wrong.yaml', environment: more });
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
  });

  it('tries a wrong PIN only once, since the token counts failures', async () => {
    installation.configure(wrap('key: aes').replace('pin_file: pin', 'pin: "999998"'), { name: 'wrong.yaml' });
    const { stderr } = await installation.run(['serve'], { config: 'wrong.yaml' });
    expect(stderr).toMatch(/^lockkeeper: the keyring \S+ cannot be unwrapped by pkcs11 .*the PIN is wrong[^\n]*\n$/);
    // One wrong PIN does not lock the token.
    await (await installation.serve()).end('SIGTERM');
  });

  it('logs no PIN', () => {
    expect(installation.printed).not.toContain(SoftToken.PIN);
    expect(installation.printed).not.toContain('999999');
  });
});
