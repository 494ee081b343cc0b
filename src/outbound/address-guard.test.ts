import { describe, expect, test } from 'vitest';
import { AddressGuard } from './address-guard.ts';

describe('by default', () => {
  const guard = new AddressGuard();

  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '[::1]',
    '[::]',
    '[::7f00:1]',
    '[::ffff:7f00:1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[fe80::1]',
    '[ff02::1]',
    '[fd00:ec2::254]',
  ])('%s is denied', async (host) => {
    await expect(guard.addressesOf(host)).rejects.toMatchObject({ kind: 'denied' });
  });

  test.each([
    ['10.0.0.1', { address: '10.0.0.1', family: 4 }],
    ['192.168.1.1', { address: '192.168.1.1', family: 4 }],
    ['8.8.8.8', { address: '8.8.8.8', family: 4 }],
    ['[fd00::1]', { address: 'fd00::1', family: 6 }],
    ['[2001:db8::1]', { address: '2001:db8::1', family: 6 }],
  ])('%s is allowed', async (host, address) => {
    expect(await guard.addressesOf(host)).toEqual([address]);
  });

  test('denies localhost as the system resolves it', async () => {
    await expect(guard.addressesOf('localhost')).rejects.toMatchObject({ kind: 'denied' });
  });
});

describe('a name', () => {
  const blocks = ['127.0.0.0/8', '::1', '10.0.0.0/8', 'fe80::/10'];
  const answering = (...addresses: string[]) =>
    new AddressGuard({ deniedBlocks: blocks, resolve: async () => addresses.map((address) => ({ address })) });

  test.each(['127.0.0.1', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '10.0.0.1', 'fe80::1%eth0', 'no address'])(
    'a host with the denied address %s is denied, whatever other addresses it has',
    async (address) => {
      await expect(answering('192.0.2.1', address).addressesOf('rebind.example.com')).rejects.toMatchObject({
        kind: 'denied',
        message: `rebind.example.com leads to the denied address ${address}`,
      });
    },
  );

  test('resolves to all addresses of a host', async () => {
    expect(await answering('192.0.2.1', '2001:db8::1').addressesOf('example.com')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  test('fails for a host without an address', async () => {
    const unknown = new AddressGuard({ deniedBlocks: blocks, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(unknown.addressesOf('nowhere.example.com')).rejects.toMatchObject({ kind: 'network' });
    await expect(answering().addressesOf('nowhere.example.com')).rejects.toMatchObject({ kind: 'network' });
  });
});

describe('an allowed entry', () => {
  const guard = (allowed: readonly string[], answers: Record<string, string> = {}) =>
    new AddressGuard({
      allowed,
      deniedBlocks: ['127.0.0.0/8', '::/96', '10.0.0.0/8', '169.254.0.0/16', 'fd00::/8'],
      resolve: async (hostname) => [{ address: answers[hostname] ?? '192.0.2.1' }],
    });
  const isAllowed = (by: AddressGuard, host: string) =>
    by.addressesOf(host).then(
      () => true,
      ({ kind }) => kind !== 'denied',
    );

  test('of a block allows every host and spelling in it, and no neighbours', async () => {
    const allowed = guard(['10.1.2.0/30', '::1'], { 'a.example': '10.1.2.3', 'b.example': '10.1.2.4' });
    for (const host of ['10.1.2.0', '10.1.2.3', '[::ffff:10.1.2.3]', '[64:ff9b::a01:203]', '[::1]', 'a.example'])
      expect([host, await isAllowed(allowed, host)]).toEqual([host, true]);
    for (const host of ['10.1.1.255', '10.1.2.4', '[::ffff:10.1.2.4]', '127.0.0.1', '[::2]', '[fd00::1]', 'b.example'])
      expect([host, await isAllowed(allowed, host)]).toEqual([host, false]);
  });

  test('of a host allows that name with any address, and nothing else', async () => {
    const answers = {
      'ocsp.example': '127.0.0.1',
      'ocsp.example.': '127.0.0.1',
      'evil.example': '127.0.0.1',
      'a.ocsp.example': '127.0.0.1',
    };
    const allowed = guard(['OCSP.example'], answers);
    for (const host of ['ocsp.example', 'ocsp.example.'])
      expect([host, await isAllowed(allowed, host)]).toEqual([host, true]);
    for (const host of ['evil.example', 'a.ocsp.example', '127.0.0.1', '[::1]'])
      expect([host, await isAllowed(allowed, host)]).toEqual([host, false]);
  });

  test('does not allow metadata services, unless it is their exact address', async () => {
    const answers = { 'ocsp.example': '169.254.169.254', 'other.example': '10.0.0.1' };
    for (const allowed of [['ocsp.example'], ['169.254.0.0/16'], ['0.0.0.0/0', '::/0']]) {
      for (const host of [
        'ocsp.example',
        '169.254.169.254',
        '[::ffff:169.254.169.254]',
        '[fd00:ec2::254]',
        '168.63.129.16',
      ])
        expect([allowed, host, await isAllowed(guard(allowed, answers), host)]).toEqual([allowed, host, false]);
    }
    const named = guard(['169.254.169.254'], answers);
    for (const host of ['ocsp.example', '169.254.169.254']) expect(await isAllowed(named, host)).toBe(true);
    for (const host of ['169.254.169.253', '100.100.100.200', 'other.example'])
      expect(await isAllowed(named, host)).toBe(false);
    // An empty list of denied blocks does not allow them either.
    await expect(new AddressGuard({ deniedBlocks: [] }).addressesOf('169.254.169.254')).rejects.toMatchObject({
      kind: 'denied',
    });
  });

  test('of IPv6 allows no IPv4 address', async () => {
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'])
      expect([host, await isAllowed(guard(['::/0']), host)]).toEqual([host, false]);
    expect(await isAllowed(guard(['::/0']), '[fd00::1]')).toBe(true);
  });

  test('that is neither a host, an IP address nor a block is refused at once', () => {
    for (const text of ['*.example', 'http://a.example', 'a.example:80', '10.0.0.0/33', '127.1', ''])
      expect(() => guard([text])).toThrow('not an IP address or CIDR block');
  });
});
