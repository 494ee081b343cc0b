import { describe, expect, test } from 'vitest';
import { AddressGuard, DEFAULT_DENIED_BLOCKS } from './address-guard.ts';

describe('by default', () => {
  const guard = new AddressGuard(DEFAULT_DENIED_BLOCKS);

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

  test('localhost is denied, as the system knows it', async () => {
    await expect(guard.addressesOf('localhost')).rejects.toMatchObject({ kind: 'denied' });
  });
});

describe('a name', () => {
  const blocks = ['127.0.0.0/8', '::1', '10.0.0.0/8', 'fe80::/10'];
  const answering = (...addresses: string[]) =>
    new AddressGuard(blocks, async () => addresses.map((address) => ({ address })));

  test.each(['127.0.0.1', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '10.0.0.1', 'fe80::1%eth0', 'no address'])(
    'with the address %s is denied, whatever others it has',
    async (address) => {
      await expect(answering('192.0.2.1', address).addressesOf('rebind.example.com')).rejects.toMatchObject({
        kind: 'denied',
        message: `rebind.example.com leads to the denied address ${address}`,
      });
    },
  );

  test('leads to all of its addresses', async () => {
    expect(await answering('192.0.2.1', '2001:db8::1').addressesOf('example.com')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  test('without an address leads nowhere', async () => {
    const unknown = new AddressGuard(blocks, () => Promise.reject(new Error('ENOTFOUND')));
    await expect(unknown.addressesOf('nowhere.example.com')).rejects.toMatchObject({ kind: 'network' });
    await expect(answering().addressesOf('nowhere.example.com')).rejects.toMatchObject({ kind: 'network' });
  });
});
