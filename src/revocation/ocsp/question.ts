import { hash } from 'node:crypto';
import { type Certificate, ocspRequest, ocspUrls } from '../../x509/index.ts';
import type { OcspSettings } from './settings.ts';

/** One certificate and everything that decides what is found out about it. */
export interface Question {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly settings: OcspSettings;
  /** URLs, each once. */
  readonly servers: readonly string[];
  /** DER. */
  readonly request: Buffer;
}

/** Throws a `ParseError` when the certificate names its responders in a way that cannot be read. */
export function questionAbout(certificate: Certificate, issuer: Certificate, settings: OcspSettings): Question {
  const { serversOverride } = settings;
  const servers = serversOverride.length > 0 ? [...new Set(serversOverride)] : ocspUrls(certificate);
  return { certificate, issuer, settings, servers, request: ocspRequest(certificate, issuer) };
}

/**
 * The same for questions with the same answer: same certificate, same issuer, and same settings. `failOpen` is not among
 * them: it changes what is made of an answer, and not the answer.
 */
export function keyOf({ certificate, issuer, servers, settings }: Question): string {
  const { queryAllServers, thisUpdateMaxAge, maxRetries, responderCertificates } = settings;
  const responders = responderCertificates.map(({ fingerprint }) => fingerprint);
  const parts = [certificate.fingerprint, issuer.fingerprint, servers, responders];
  return hash('sha256', JSON.stringify([...parts, queryAllServers, thisUpdateMaxAge, maxRetries]));
}
