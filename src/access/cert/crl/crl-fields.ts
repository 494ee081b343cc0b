import { AppError } from '../../../lib/errors.ts';
import type { LongText } from '../../../lib/long-json/long-text.ts';
import { described, longPem, parseFields, text } from '../../operation/fields.ts';
import type { CrlSettings } from './crl.ts';

export const CRL_FIELDS = described(
  { crl: longPem('crl'), url: text(), on_stale: text(), on_unknown_issuer: text() },
  {
    crl: 'The CRL, in PEM or base64-encoded DER.',
    url: 'URL to fetch the CRL from, if `crl` is absent.',
    on_stale: 'When the CRL is overdue: `use` it, or `refuse` the certificates of its issuer.',
    on_unknown_issuer:
      'While no role contains the issuer: `match_serial` compares only serial numbers, `ignore` does not use ' +
      'the CRL.',
  },
);

const DEFAULTS: CrlSettings = { on_stale: 'use', on_unknown_issuer: 'match_serial' };

/** Source of a CRL's content. */
export type CrlSource = { readonly text: LongText } | { readonly url: string };

/** Parsed body of a write. */
export interface CrlWrite {
  readonly source: CrlSource;
  /** Absent fields keep their value. */
  readonly settings: Partial<CrlSettings>;
}

/** @throws AppError bad-request */
export function parseCrlWrite(body: Readonly<Record<string, unknown>>): CrlWrite {
  const { crl, url, on_stale, on_unknown_issuer } = parseFields(CRL_FIELDS, body).values;
  const settings = {
    ...(on_stale !== undefined && { on_stale: oneOf('on_stale', on_stale, ['use', 'refuse'] as const) }),
    ...(on_unknown_issuer !== undefined && {
      on_unknown_issuer: oneOf('on_unknown_issuer', on_unknown_issuer, ['match_serial', 'ignore'] as const),
    }),
  };
  if (crl !== undefined) return { source: { text: crl }, settings };
  if (url === undefined) throw new AppError('bad-request', "one of 'crl' or 'url' must be provided");
  return { source: { url: checkedUrl(url) }, settings };
}

/** Merges settings. Fields added since the CRL was stored get their default. */
export function mergeSettings(stored: Partial<CrlSettings> | undefined, written: Partial<CrlSettings>): CrlSettings {
  return { ...DEFAULTS, ...stored, ...written };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new AppError('bad-request', `invalid '${name}' value: expected ${allowed.join(' or ')}`);
  return found;
}

/** Checks a URL. Credentials in it are refused, because every read would show them. */
function checkedUrl(text: string): string {
  if (text === '') throw new AppError('bad-request', 'empty CRL url');
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AppError('bad-request', 'invalid CRL url: expected http or https');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('bad-request', 'invalid CRL url: it must not contain credentials');
  }
  return text;
}
