import {
  ANY_PURPOSE,
  type Certificate,
  dottedFromOid,
  KeyPurpose,
  type Oid,
  oidFromDotted,
} from '../../../x509/index.ts';
import { type Field, FieldError, list } from '../../operation/fields.ts';
import { isOid } from './oid.ts';

/** OIDs of key purposes by their names in Go and Vault. */
const PURPOSES: Readonly<Record<string, string>> = {
  Any: KeyPurpose.any,
  ServerAuth: KeyPurpose.serverAuth,
  ClientAuth: KeyPurpose.clientAuth,
  CodeSigning: '1.3.6.1.5.5.7.3.3',
  EmailProtection: '1.3.6.1.5.5.7.3.4',
  IPSECEndSystem: '1.3.6.1.5.5.7.3.5',
  IPSECTunnel: '1.3.6.1.5.5.7.3.6',
  IPSECUser: '1.3.6.1.5.5.7.3.7',
  TimeStamping: '1.3.6.1.5.5.7.3.8',
  OCSPSigning: KeyPurpose.ocspSigning,
  SmartcardLogon: '1.3.6.1.4.1.311.20.2.2',
  MicrosoftServerGatedCrypto: '1.3.6.1.4.1.311.10.3.3',
  NetscapeServerGatedCrypto: '2.16.840.1.113730.4.1',
  MicrosoftCommercialCodeSigning: '1.3.6.1.4.1.311.2.1.22',
  MicrosoftKernelCodeSigning: '1.3.6.1.4.1.311.61.1.1',
};

/** Accepts `client_auth`, `clientAuth`, `client-auth` and `ExtKeyUsageClientAuth` for `ClientAuth`. */
const spelling = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/^extkeyusage/, '');

const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.keys(PURPOSES).map((name) => [spelling(name), name] as const),
  ['anyextendedkeyusage', 'Any'],
]);

/** @limit extended key usages of a role, purposes -> 400 */
const MAX_PURPOSES = 32;

const DEFAULT: readonly string[] = ['ClientAuth'];

/** Names or OIDs of key purposes. Names are stored in one spelling. Null: the default. */
export function keyPurposes(): Field<readonly string[]> {
  return { ...list(), initial: DEFAULT, parse: asPurposes };
}

function asPurposes(value: unknown): readonly string[] {
  if (value === null) return DEFAULT;
  const purposes = new Set((list().parse(value) ?? []).map(asPurpose));
  if (purposes.size > MAX_PURPOSES) throw new FieldError(`expected at most ${MAX_PURPOSES} key purposes`);
  return [...purposes];
}

function asPurpose(text: string): string {
  const name = NAMES.get(spelling(text)) ?? (isOid(text) ? text : undefined);
  if (name !== undefined) return name;
  throw new FieldError('expected names of key purposes, such as ClientAuth and ServerAuth, or object identifiers');
}

/** Purposes of a role without a setting. All such roles share it. */
export const CLIENT_AUTH: ReadonlySet<Oid> = new Set([oidFromDotted(KeyPurpose.clientAuth)]);

/** Returns the accepted purposes of a role. Undefined: any purpose. */
export function acceptedPurposes(purposes: readonly string[]): ReadonlySet<Oid> | undefined {
  if (purposes.length === 1 && purposes[0] === DEFAULT[0]) return CLIENT_AUTH;
  const accepted = new Set(purposes.map((one) => oidFromDotted(PURPOSES[one] ?? one)));
  return accepted.size === 0 || accepted.has(ANY_PURPOSE) ? undefined : accepted;
}

const BY_OID: ReadonlyMap<Oid, string> = new Map(
  Object.entries(PURPOSES).map(([name, dotted]) => [oidFromDotted(dotted), name]),
);

/** Returns the key purposes of a certificate, with the names that roles use. Null: it is not restricted. */
export function purposeNames({ known }: Certificate): readonly string[] | null {
  const purposes = known.extendedKeyUsage;
  return purposes ? [...purposes].map((purpose) => BY_OID.get(purpose) ?? dottedFromOid(purpose)) : null;
}
