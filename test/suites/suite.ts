import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { PeerName } from './host-match.ts';

/** One case, in the schema of C2SP/x509-limbo. */
export interface SuiteCase {
  readonly id: string;
  readonly description?: string;
  readonly validation_kind: 'CLIENT' | 'SERVER';
  readonly trusted_certs: readonly string[];
  readonly untrusted_intermediates: readonly string[];
  readonly peer_certificate: string;
  readonly crls: readonly string[];
  /** ISO 8601; null means now. */
  readonly validation_time: string | null;
  readonly key_usage: readonly string[];
  readonly extended_key_usage: readonly string[];
  readonly expected_peer_name: PeerName | null;
  readonly expected_peer_names: readonly PeerName[];
  readonly max_chain_depth: number | null;
  readonly expected_result: 'SUCCESS' | 'FAILURE';
}

export type SuiteName = 'limbo' | 'pkits' | 'bettertls';

/** The suites are public and large, and not part of this repository. */
const FOLDER = fileURLToPath(new URL('../../../shared/suites/', import.meta.url));

export const suitesArePresent = existsSync(FOLDER);

export function casesOf(suite: SuiteName): readonly SuiteCase[] {
  const text = gunzipSync(readFileSync(`${FOLDER}${suite}.json.gz`)).toString('utf8');
  return (JSON.parse(text) as { testcases: SuiteCase[] }).testcases;
}
