import { AppError } from '../../../lib/errors.ts';
import type { LongText } from '../../../lib/long-json/long-text.ts';
import { described, longPem, parseFields, text } from '../../operation/fields.ts';
import type { CrlSettings } from './crl.ts';

export const CRL_FIELDS = described(
  { crl: longPem('crl'), url: text(), on_stale: text(), on_unknown_issuer: text() },
  {
    crl: 'The list, in PEM or DER in base64.',
    url: 'Where the list is fetched from, when `crl` is not given.',
    on_stale: 'When it is overdue: `use` it, or `refuse` the certificates of its issuer.',
    on_unknown_issuer: 'While no role has its issuer: `match_serial` numbers alone, or `ignore` it.',
  },
);

const DEFAULTS: CrlSettings = { on_stale: 'use', on_unknown_issuer: 'match_serial' };

/** Where the content of a list comes from. */
export type CrlSource = { readonly text: LongText } | { readonly url: string };

/** The body of a write. */
export interface CrlWrite {
  readonly source: CrlSource;
  /** What it does not name stays as it is. */
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

/** Settings of a list after a write; what came after it was stored is at its default. */
export function mergeSettings(stored: Partial<CrlSettings> | undefined, written: Partial<CrlSettings>): CrlSettings {
  return { ...DEFAULTS, ...stored, ...written };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new AppError('bad-request', `invalid '${name}' value: expected ${allowed.join(' or ')}`);
  return found;
}

/** A URL that can be fetched. Credentials in it would show in every read. */
function checkedUrl(text: string): string {
  if (text === '') throw new AppError('bad-request', 'empty CRL url');
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AppError('bad-request', 'invalid CRL url: expected http or https');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('bad-request', 'invalid CRL url: it must not hold credentials');
  }
  return text;
}
