import { withinBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';
import type { AnyIncoming, Peer } from '../../lib/request.ts';
import { type Chain, decodeChain, FORMAT_HEADERS, ForwardedError, type ForwardedFormat } from './forwarded-formats.ts';

/** Settings for certificates that a trusted proxy forwards. By default no proxy is trusted. */
export interface ForwardedOptions {
  /** IP addresses and blocks of trusted proxies. Empty: none is trusted. */
  readonly trustedProxies: readonly string[];
  readonly format: ForwardedFormat;
}

const ALL_HEADERS: readonly string[] = Object.values(FORMAT_HEADERS).flat();

/**
 * Determines the peer behind a trusted proxy. Removes the headers of every format from all requests, so that no later
 * code reads them by accident.
 * @param stripped called for a header from an untrusted client or in another format than configured
 */
export function forwardedPeer(
  request: AnyIncoming,
  peer: Peer,
  options: ForwardedOptions | undefined,
  stripped: () => void,
): Peer {
  const values = takeHeaders(request);
  const trusted = options !== undefined && withinBlocks(peer.address, options.trustedProxies);
  const expected: readonly string[] = trusted ? FORMAT_HEADERS[options.format] : [];
  for (const name of values.keys()) if (!expected.includes(name)) stripped();
  if (!trusted) return peer;
  // Also without a header: the connection's certificate is the proxy's own and would authenticate all its clients.
  return new ForwardedPeer(peer, () => decodeChain(options.format, (name) => values.get(name)));
}

function takeHeaders({ headers }: AnyIncoming): Map<string, string> {
  const values = new Map<string, string>();
  for (const name of ALL_HEADERS) {
    const value = headers[name];
    if (value === undefined) continue;
    values.set(name, String(value));
    delete headers[name];
  }
  return values;
}

/** The client of a trusted proxy, whose handshake was with the proxy. */
class ForwardedPeer implements Peer {
  readonly address: string;
  readonly tls = true;
  readonly #decode: () => Chain | undefined;
  #chain: { readonly decoded: Chain | undefined } | undefined;

  constructor({ address }: Peer, decode: () => Chain | undefined) {
    this.address = address;
    this.#decode = decode;
  }

  leaf(): Uint8Array | undefined {
    return this.#certificates()?.[0];
  }

  intermediates(): readonly Uint8Array[] {
    return this.#certificates()?.slice(1) ?? [];
  }

  /** Forwarded certificates cost no native memory. */
  proved(): void {}

  /** The connection is the proxy's, so its address says nothing about the client. */
  admitted(): void {}

  #certificates(): Chain | undefined {
    try {
      this.#chain ??= { decoded: this.#decode() };
      return this.#chain.decoded;
    } catch (error) {
      if (!(error instanceof ForwardedError)) throw error;
      throw new AppError('bad-request', `error decoding client certificate header: ${error.message}`);
    }
  }
}
