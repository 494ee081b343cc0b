import { hash } from 'node:crypto';
import { type Certificate, ocspRequest, ocspUrls } from '../../x509/index.ts';
import type { OcspSettings } from './settings.ts';

/** One certificate, and everything that influences the result of its check. */
export interface Question {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly settings: OcspSettings;
  /** URLs of the responders, without duplicates. */
  readonly servers: readonly string[];
  /** OCSP request (DER). */
  readonly request: Buffer;
}

/** Throws a `ParseError` if the responders in the certificate cannot be read. */
export function questionAbout(certificate: Certificate, issuer: Certificate, settings: OcspSettings): Question {
  const { serversOverride } = settings;
  const servers = serversOverride.length > 0 ? [...new Set(serversOverride)] : ocspUrls(certificate);
  return { certificate, issuer, settings, servers, request: ocspRequest(certificate, issuer) };
}

/**
 * Returns a cache key, equal for checks with the same certificate, issuer and settings. `failOpen` is not part of
 * it, because it only changes how the response is evaluated.
 */
export function keyOf({ certificate, issuer, servers, settings }: Question): string {
  const { queryAllServers, thisUpdateMaxAge, maxRetries, responderCertificates } = settings;
  const responders = responderCertificates.map(({ fingerprint }) => fingerprint);
  const parts = [certificate.fingerprint, issuer.fingerprint, servers, responders];
  return hash('sha256', JSON.stringify([...parts, queryAllServers, thisUpdateMaxAge, maxRetries]));
}
