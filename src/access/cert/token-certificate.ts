import type { Certificate } from '../../x509/index.ts';
import type { TokenCertificate } from '../model/token.ts';
import { aliasName } from './settings/alias-source.ts';
import { isOid } from './settings/oid.ts';
import type { RoleSettings } from './settings/role-settings.ts';

/** Returns the metadata of a token about its certificate, as shown by the login and a lookup. All values are text. */
export function certificateMetadata(
  role: string,
  settings: RoleSettings,
  leaf: Certificate,
): Readonly<Record<string, string>> {
  const metadata: Record<string, string> = {
    cert_name: role,
    common_name: leaf.commonName ?? '',
    serial_number: String(leaf.serialNumber),
    subject_key_id: colonHex(leaf.subjectKeyId),
    authority_key_id: colonHex(leaf.authorityKeyId),
  };
  for (const oid of settings.allowed_metadata_extensions ?? []) {
    const value = isOid(oid) ? leaf.extensionText(oid) : undefined;
    if (value !== undefined) metadata[oid.replaceAll('.', '-')] = value;
  }
  return metadata;
}

/** Returns the certificate data of a token, for renewals and the audit log. */
export function tokenCertificate(role: string, leaf: Certificate, source: string): TokenCertificate {
  return {
    role,
    aliasName: aliasName(leaf, source),
    fingerprint: leaf.fingerprint,
    commonName: leaf.commonName ?? '',
    subject: leaf.subject.toString(),
    serialNumber: String(leaf.serialNumber),
  };
}

/** Inserts colons: `a1b2` becomes `a1:b2`. */
function colonHex(hex: string | undefined): string {
  return hex?.match(/../g)?.join(':') ?? '';
}
