import { withinBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';
import type { AnyIncoming, Peer } from '../../lib/request.ts';
import { type Chain, decodeChain, FORMAT_HEADERS, ForwardedError, type ForwardedFormat } from './forwarded-formats.ts';

/** Off unless a listener says otherwise. */
export interface ForwardedOptions {
  /** Addresses and blocks of the proxies; without one of them nobody is believed. */
  readonly trustedProxies: readonly string[];
  readonly format: ForwardedFormat;
}

const ALL_HEADERS: readonly string[] = Object.values(FORMAT_HEADERS).flat();

/**
 * Who is at the other end, where a trusted proxy may speak for its client. The headers of every format are taken out of the
 * request, whoever sent them: nothing behind this reads them by accident.
 * @param stripped told of a header that came from somebody who may not send it, or in a format that is not the one agreed
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
  // Without a header too: the certificate of the connection is the proxy's own, and would let in whoever it speaks for.
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

/** The client of a trusted proxy, as the proxy says. Its handshake was with the proxy. */
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

  /** They came in a header, which costs nothing. */
  proved(): void {}

  /** It is the proxy's connection, and says nothing about its address. */
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
