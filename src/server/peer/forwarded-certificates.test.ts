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
const plain = ({ der }: { der: Buffer }) => der.toString('base64');
/** Percent-encoding of an Application Load Balancer, which leaves `+=/` as they are. */
const awsEscaped = (pem: string) => encodeURI(pem);
const concatenated = Buffer.concat([intermediate.der, root.der]).toString('base64');

const peer = (address = '10.0.0.1'): Peer => ({
  address,
  tls: false,
  leaf: () => undefined,
  intermediates: () => [],
  proved: () => {},
  admitted: () => {},
});

function ask(
  headers: Record<string, string>,
  format: ForwardedFormat | undefined,
  address?: string,
  more: Partial<ForwardedOptions> & { readonly rawHeaders?: readonly string[] } = {},
) {
  const { rawHeaders = Object.entries(headers).flat(), ...names } = more;
  const request = { headers: { ...headers }, rawHeaders } as unknown as IncomingMessage;
  const options: ForwardedOptions | undefined = format && { trustedProxies: ['10.0.0.0/8'], format, ...names };
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
    ['aws', { 'x-amzn-mtls-clientcert': awsEscaped(leaf.pem + intermediate.pem + root.pem) }, 2],
    ['aws-verify', { 'x-amzn-mtls-clientcert-leaf': awsEscaped(leaf.pem) }, 0],
    ['aws', { 'x-amzn-mtls-clientcert': escaped(leaf.pem) }, 0],
    ['traefik', { 'x-forwarded-tls-client-cert': plain(leaf) }, 0],
    ['traefik', { 'x-forwarded-tls-client-cert': `${plain(leaf)},${plain(intermediate)}` }, 1],
    ['traefik', { 'x-forwarded-tls-client-cert': escaped(`${plain(leaf)},${plain(intermediate)}`) }, 1],
    ['google', { 'x-client-cert-leaf': sequence(leaf) }, 0],
    [
      'google',
      { 'x-client-cert-leaf': sequence(leaf), 'x-client-cert-chain': `${sequence(leaf)}, ${sequence(intermediate)}` },
      1,
    ],
    ['cloudflare', { 'cf-client-cert-der-base64': plain(leaf) }, 0],
    ['caddy', { 'x-client-cert-der': plain(leaf) }, 0],
    ['haproxy', { 'x-ssl-client-cert-der': plain(leaf) }, 0],
    ['haproxy', { 'x-ssl-client-cert-der': plain(leaf), 'x-ssl-client-cert-chain-der': concatenated }, 2],
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
    ['aws-verify', { 'x-amzn-mtls-clientcert-leaf': escaped(leaf.pem + root.pem) }],
    ['aws', { 'x-amzn-mtls-clientcert': plain(leaf) }],
    ['aws', { 'x-amzn-mtls-clientcert': escaped(root.pem.repeat(12)) }],
    ['traefik', { 'x-forwarded-tls-client-cert': escaped(leaf.pem) }],
    ['traefik', { 'x-forwarded-tls-client-cert': `${plain(leaf)},` }],
    ['traefik', { 'x-forwarded-tls-client-cert': Array(12).fill(plain(root)).join() }],
    ['traefik', { 'x-forwarded-tls-client-cert': '%E0%A4%A' }],
    ['google', { 'x-client-cert-leaf': plain(leaf) }],
    ['google', { 'x-client-cert-chain': sequence(leaf) }],
    ['cloudflare', { 'cf-client-cert-der-base64': `${plain(leaf)}, ${plain(root)}` }],
    ['caddy', { 'x-client-cert-der': '{http.request.tls.client.certificate_der_base64}' }],
    ['haproxy', { 'x-ssl-client-cert-chain-der': concatenated }],
    [
      'haproxy',
      { 'x-ssl-client-cert-der': plain(leaf), 'x-ssl-client-cert-chain-der': `${concatenated.slice(0, 400)}` },
    ],
    [
      'haproxy',
      { 'x-ssl-client-cert-der': plain(leaf), 'x-ssl-client-cert-chain-der': 'MAAwADAAMAAwADAAMAAwADAAMAAwADAA' },
    ],
  ])('that does not hold what %s says is an error of the request, and never no certificate: %j', (format, headers) => {
    const { seen } = ask(headers, format);
    expect(() => seen.leaf()).toThrow(/^error decoding client certificate header: /);
  });
});

describe('a header of the trusted proxy', () => {
  const header = { header: 'x-our-cert', chainHeader: 'x-our-cert-chain' };

  it('may have another name, and the name of the format is then ignored', () => {
    const headers = { 'x-our-cert': sequence(leaf), 'x-our-cert-chain': sequence(root), 'client-cert': sequence(root) };
    const { seen, stripped, left } = ask(headers, 'rfc9440', undefined, header);
    expect(Buffer.from(seen.leaf() ?? [])).toEqual(leaf.der);
    expect(seen.intermediates()).toEqual([root.der]);
    expect([stripped, left]).toEqual([1, []]);
  });

  it('with another name is taken out of requests of anybody else', () => {
    const { seen, stripped, left } = ask({ 'x-our-cert': sequence(leaf) }, 'rfc9440', '192.0.2.1', header);
    expect([seen.leaf(), stripped, left]).toEqual([undefined, 1, []]);
  });

  it.each<[ForwardedFormat, string]>([
    ['rfc9440', 'Client-Cert'],
    ['traefik', 'X-Forwarded-Tls-Client-Cert'],
    ['caddy', 'X-Client-Cert-Der'],
  ])('that comes twice is refused: %s', (format, name) => {
    const value = format === 'rfc9440' ? sequence(leaf) : plain(leaf);
    const rawHeaders = [name, value, name.toUpperCase(), value];
    const { seen } = ask({ [name.toLowerCase()]: `${value}, ${value}` }, format, undefined, { rawHeaders });
    expect(() => seen.leaf()).toThrow(/several times$/);
  });

  it('without a value means a client without a certificate', () => {
    expect(ask({ 'x-ssl-client-cert-der': '', 'x-ssl-client-cert-chain-der': '' }, 'haproxy').seen.leaf()).toBe(
      undefined,
    );
    expect(ask({}, 'aws').seen.leaf()).toBe(undefined);
  });

  it.each<[ForwardedFormat, string]>([
    ['aws', 'x-amzn-mtls-clientcert-leaf'],
    ['aws-verify', 'x-amzn-mtls-clientcert'],
  ])('is not read from the header of another mode: %s', (format, name) => {
    const { seen, stripped, left } = ask({ [name]: escaped(leaf.pem) }, format);
    expect([seen.leaf(), stripped, left]).toEqual([undefined, 1, []]);
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
