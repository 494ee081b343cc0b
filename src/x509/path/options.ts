import { type Oid, oidFromDotted } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import type { AnchorSet } from './anchors.ts';
import type { Rules } from './checks.ts';
import { type AcceptedPurposes, ANY_PURPOSE, KeyPurpose, type KeyUsage, keyUsageBits } from './key-usage.ts';
import type { Verdict } from './verdict.ts';

/**
 * Maximum number of intermediates for one search.
 * @limit available intermediates of one path search, certificates -> 400
 */
export const MAX_PRESENTED = 100;

export interface PathOptions<Owner = undefined> {
  readonly anchors: AnchorSet<Owner>;
  /**
   * Untrusted certificates for building paths, in any order: at most 100. A function is called at most once, and only
   * if the anchors alone are not enough.
   */
  readonly intermediates?: readonly Certificate[] | (() => readonly Certificate[]);
  /**
   * Time of the check, milliseconds since 1970; fractions of a second are dropped, because certificates count in
   * seconds.
   */
  readonly time: number;
  /**
   * Required purpose of the certificates, dotted (`KeyPurpose`), or the accepted purposes. Default `clientAuth`; `any`
   * requires nothing.
   */
  readonly extendedKeyUsage?: string | NonNullable<AcceptedPurposes>;
  /** Required key usage of the leaf, if the leaf has that extension. Default: nothing. */
  readonly keyUsage?: readonly KeyUsage[];
  /** Maximum number of CAs between leaf and anchor, self-issued ones not counted. Default 8. */
  readonly maxIntermediates?: number;
  /** Accept signatures over SHA-1, which is broken: an attacker with enough money can forge them. Default false. */
  readonly allowSha1?: boolean;
  /** Called for each refusal of a path, at most 100 times. */
  readonly onReject?: (verdict: Verdict) => void;
}

/** Cache of the named purposes. */
const PURPOSES: ReadonlyMap<string, ReadonlySet<Oid>> = new Map(
  Object.values(KeyPurpose).map((dotted) => [dotted, new Set([oidFromDotted(dotted)])]),
);

export function rulesOf(options: Omit<PathOptions<unknown>, 'anchors'>): Rules {
  return {
    time: Math.floor(options.time / 1000) * 1000,
    purposes: purposesOf(options.extendedKeyUsage ?? KeyPurpose.clientAuth),
    leafUsage: keyUsageBits(options.keyUsage ?? []),
    allowSha1: options.allowSha1 ?? false,
  };
}

function purposesOf(wanted: string | NonNullable<AcceptedPurposes>): AcceptedPurposes {
  const accepted = typeof wanted === 'string' ? (PURPOSES.get(wanted) ?? new Set([oidFromDotted(wanted)])) : wanted;
  return accepted.has(ANY_PURPOSE) ? undefined : accepted;
}
