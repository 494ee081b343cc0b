import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import type { AnchorSet } from './anchors.ts';
import type { Rules } from './checks.ts';
import { ANY_PURPOSE, KeyPurpose, type KeyUsage, keyUsageBits } from './key-usage.ts';
import type { Verdict } from './verdict.ts';

/**
 * Handed to one search.
 * @limit intermediates handed to one search, certificates -> 400
 */
export const MAX_PRESENTED = 100;

export interface PathOptions<Owner = undefined> {
  readonly anchors: AnchorSet<Owner>;
  /**
   * Certificates to build with, in no order, none of them trusted: at most 100. A function is called once at most, and only
   * when the anchors alone do not do.
   */
  readonly intermediates?: readonly Certificate[] | (() => readonly Certificate[]);
  /** Milliseconds since 1970; a part of a second is dropped, as certificates count in seconds. */
  readonly time: number;
  /** What the certificates must be for, dotted (`KeyPurpose`). Default `clientAuth`; `any` asks nothing. */
  readonly extendedKeyUsage?: string;
  /** What the leaf's key usage must allow, where the leaf has that extension. Default: nothing. */
  readonly keyUsage?: readonly KeyUsage[];
  /** Authorities allowed between leaf and anchor, self-issued ones not counted. Default 8. */
  readonly maxIntermediates?: number;
  /** Takes signatures over SHA-1, which is broken: anyone with enough money can forge them. Default false. */
  readonly allowSha1?: boolean;
  /** Told of each thing that keeps a path from being valid; 100 times at most. */
  readonly onReject?: (verdict: Verdict) => void;
}

/** What is asked for at every login is not worked out at every login. */
const PURPOSES: ReadonlyMap<string, Oid> = new Map(
  Object.values(KeyPurpose).map((dotted) => [dotted, oidFromDotted(dotted)]),
);

export function rulesOf(options: Omit<PathOptions<unknown>, 'anchors'>): Rules {
  const dotted = options.extendedKeyUsage ?? KeyPurpose.clientAuth;
  const purpose = PURPOSES.get(dotted) ?? oidFromDotted(dotted);
  return {
    time: Math.floor(options.time / 1000) * 1000,
    purpose: purpose === ANY_PURPOSE ? undefined : purpose,
    leafUsage: keyUsageBits(options.keyUsage ?? []),
    allowSha1: options.allowSha1 ?? false,
  };
}
