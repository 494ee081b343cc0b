import { withinBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';
import { memoizeByObject } from '../../lib/memoize-by-object.ts';
import type { AnyIncoming, Peer } from '../../lib/request.ts';
import {
  ALL_HEADERS,
  type Chain,
  decodeChain,
  ForwardedError,
  type ForwardedFormat,
  headerNames,
} from './forwarded-formats.ts';

/** Settings for certificates that a trusted proxy forwards. By default no proxy is trusted. */
export interface ForwardedOptions {
  /** IP addresses and blocks of trusted proxies. Empty: none is trusted. */
  readonly trustedProxies: readonly string[];
  readonly format: ForwardedFormat;
  /** Header with the leaf, in lower case. Default: the name of the format. */
  readonly header?: string;
  /** Header with the intermediates, in lower case. Default: the name of the format. */
  readonly chainHeader?: string;
}

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
  const headers = options && headersOf(options);
  const values = takeHeaders(request, headers?.all ?? ALL_HEADERS);
  const trusted = options !== undefined && withinBlocks(peer.address, options.trustedProxies);
  const expected = trusted && headers ? headers.own : [];
  for (const name of values.keys()) if (!expected.includes(name)) stripped();
  if (!trusted || !headers) return peer;
  const { names } = headers;
  const header = (name: string): string | undefined => {
    const taken = values.get(name);
    // A second header with the leaf may be that of a client. The header with the chain is a list (RFC 9440 §2.3).
    if (taken && taken.count > 1 && names.leaf === name) throw new ForwardedError(`${name} several times`);
    return taken?.value;
  };
  // Also without a header: the connection's certificate is the proxy's own and would authenticate all its clients.
  return new ForwardedPeer(peer, () => decodeChain(options.format, names, header));
}

/** Headers of a listener: those of its format, and all that are removed. Computed once for each listener. */
const headersOf = memoizeByObject(({ format, header, chainHeader }: ForwardedOptions) => {
  const names = headerNames(format, header, chainHeader);
  const own = names.chain ? [names.leaf, names.chain] : [names.leaf];
  return { names, own, all: [...new Set([...ALL_HEADERS, ...own])] };
});

interface TakenHeader {
  readonly value: string;
  /** Number of header lines. Node.js joins their values. */
  readonly count: number;
}

function takeHeaders({ headers, rawHeaders }: AnyIncoming, names: readonly string[]): Map<string, TakenHeader> {
  const values = new Map<string, TakenHeader>();
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) continue;
    const count = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
    values.set(name, { value: String(value), count });
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
