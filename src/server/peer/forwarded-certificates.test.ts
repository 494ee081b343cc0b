import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createRoot } from '../../../test/support/pki.ts';
import type { AnyIncoming, Peer } from '../../lib/request.ts';
import { type ForwardedOptions, forwardedPeer } from './forwarded-certificates.ts';
import type { ForwardedFormat } from './forwarded-formats.ts';

const root = createRoot();
const intermediate = root.issueAuthority();
const leaf = intermediate.issue({ subject: 'device, "one"' });
const sequence = ({ der }: { der: Buffer }) => `:${der.toString('base64')}:`;
const escaped = (pem: string) => encodeURIComponent(pem);

const peer = (address = '10.0.0.1'): Peer => ({
  address,
  tls: false,
  leaf: () => undefined,
  intermediates: () => [],
  proved: () => {},
  admitted: () => {},
});

function ask(headers: Record<string, string>, format: ForwardedFormat | undefined, address?: string) {
  const request = { headers: { ...headers } } as unknown as IncomingMessage;
  const options: ForwardedOptions | undefined = format && { trustedProxies: ['10.0.0.0/8'], format };
  let stripped = 0;
  const seen = forwardedPeer(request as AnyIncoming, peer(address), options, () => {
    stripped++;
  });
  return { seen, stripped, left: Object.keys(request.headers) };
}

describe('a certificate forwarded by a trusted proxy', () => {
  it.each<[ForwardedFormat, Record<string, string>, number]>([
    ['rfc9440', { 'client-cert': sequence(leaf) }, 0],
    [
      'rfc9440',
      { 'client-cert': sequence(leaf), 'client-cert-chain': `${sequence(intermediate)}, ${sequence(root)}` },
      2,
    ],
    ['nginx', { 'x-ssl-client-cert': escaped(leaf.pem) }, 0],
    ['envoy', { 'x-forwarded-client-cert': `Hash=ab;Cert="${escaped(leaf.pem)}";Subject="CN=\\"x\\", O=y"` }, 0],
    ['envoy', { 'x-forwarded-client-cert': `Chain="${escaped(leaf.pem + intermediate.pem)}";Hash=ab` }, 1],
  ])('is that of the peer: %s', (format, headers, intermediates) => {
    const { seen, stripped, left } = ask(headers, format);
    expect(seen.tls).toBe(true);
    expect(Buffer.from(seen.leaf() ?? [])).toEqual(leaf.der);
    expect(seen.intermediates()).toHaveLength(intermediates);
    expect([stripped, left]).toEqual([0, []]);
  });

  it.each<[ForwardedFormat, Record<string, string>]>([
    ['rfc9440', { 'client-cert': leaf.der.toString('base64') }],
    ['rfc9440', { 'client-cert': `${sequence(leaf)}, ${sequence(leaf)}` }],
    ['rfc9440', { 'client-cert-chain': sequence(leaf) }],
    ['rfc9440', { 'client-cert': sequence(leaf), 'client-cert-chain': Array(12).fill(sequence(root)).join() }],
    ['nginx', { 'x-ssl-client-cert': '%' }],
    ['nginx', { 'x-ssl-client-cert': `${escaped(root.pem)}, ${escaped(leaf.pem)}` }],
    ['nginx', { 'x-ssl-client-cert': 'nothing' }],
    ['nginx', { 'x-ssl-client-cert': escaped(leaf.pem.slice(0, 200)) }],
    ['envoy', { 'x-forwarded-client-cert': 'Hash=ab;Subject="CN=x"' }],
    ['envoy', { 'x-forwarded-client-cert': `Cert="${escaped(leaf.pem)}",Cert="${escaped(root.pem)}"` }],
    ['envoy', { 'x-forwarded-client-cert': `Cert="${escaped(leaf.pem)}` }],
  ])('that does not hold what %s says is an error of the request, and never no certificate: %j', (format, headers) => {
    const { seen } = ask(headers, format);
    expect(() => seen.leaf()).toThrow(/^error decoding client certificate header: /);
  });
});

describe('the same header from anybody else', () => {
  const headers = { 'client-cert': sequence(leaf), host: 'x' };

  it.each<[string, ForwardedFormat | undefined, string]>([
    ['where nobody is trusted', undefined, '10.0.0.1'],
    ['from another address', 'rfc9440', '192.0.2.1'],
    ['in another format than the one agreed', 'nginx', '10.0.0.1'],
  ])('%s is taken out of the request and counted', (_name, format, address) => {
    const { seen, stripped, left } = ask(headers, format, address);
    expect(seen.leaf()).toBeUndefined();
    expect([stripped, left]).toEqual([1, ['host']]);
  });
});
