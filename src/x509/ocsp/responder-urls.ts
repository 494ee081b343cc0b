import { readItems } from '../asn1/list.ts';
import { oidFromDotted, readOid } from '../asn1/oid.ts';
import { DerReader, Tag } from '../asn1/reader.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { type GeneralName, readGeneralName } from '../certificate/general-name.ts';
import { inField } from '../parse-error.ts';

const AUTHORITY_INFORMATION_ACCESS = oidFromDotted('1.3.6.1.5.5.7.1.1');
/** OID id-ad-ocsp. */
const OCSP = oidFromDotted('1.3.6.1.5.5.7.48.1');
/** @limit entries in the authority information access of a certificate, entries -> its responders are not used */
const MAX_DESCRIPTIONS = 16;

/**
 * Returns the responders of a certificate (RFC 5280 §4.2.2.1): http and https URLs in order, without duplicates. A CA
 * chose these URLs, possibly for an attacker, so fetch them only with the outbound guard. Throws a `ParseError` if the
 * extension is malformed or has more than 16 entries.
 */
export function ocspUrls(certificate: Certificate): string[] {
  const extension = certificate.extensions.get(AUTHORITY_INFORMATION_ACCESS);
  if (extension === undefined) return [];
  const locations = inField('authority information access', () => {
    const list = DerReader.inside(extension.value, Tag.sequence);
    const rules = { items: 'access descriptions', most: MAX_DESCRIPTIONS, mayBeEmpty: true };
    return readItems(list, rules, () => readResponder(list.enter(Tag.sequence)));
  });
  const urls = locations.map((location) => (location?.type === 'uri' ? location.value : ''));
  return [...new Set(urls.filter((url) => /^https?:\/\//i.test(url)))];
}

/** Returns the location in one AccessDescription if it is that of a responder. */
function readResponder(reader: DerReader): GeneralName | undefined {
  const method = readOid(reader);
  const location = readGeneralName(reader);
  reader.finish();
  return method === OCSP ? location : undefined;
}
