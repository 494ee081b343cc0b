import {
  AnchorSet,
  Certificate,
  certificatesInPem,
  KeyPurpose,
  type KeyUsage,
  ParseError,
  validate,
} from '../../src/x509/index.ts';
import { carriesName } from './host-match.ts';
import type { SuiteCase } from './suite.ts';

const PURPOSES: Readonly<Record<string, string>> = {
  anyExtendedKeyUsage: KeyPurpose.any,
  serverAuth: KeyPurpose.serverAuth,
  clientAuth: KeyPurpose.clientAuth,
};

/** Runs one case against the validator, then matches the expected names. */
export function runCase(suiteCase: SuiteCase): SuiteCase['expected_result'] {
  const leaf = readAll([suiteCase.peer_certificate])[0];
  if (leaf === undefined) return 'FAILURE';
  const { path } = validate(leaf, {
    anchors: AnchorSet.fromCertificates(readAll(suiteCase.trusted_certs)),
    intermediates: readAll(suiteCase.untrusted_intermediates),
    time: suiteCase.validation_time === null ? Date.now() : Date.parse(suiteCase.validation_time),
    extendedKeyUsage: purposeOf(suiteCase),
    keyUsage: suiteCase.key_usage as KeyUsage[],
    ...(suiteCase.max_chain_depth === null ? {} : { maxIntermediates: suiteCase.max_chain_depth }),
  });
  const names = [suiteCase.expected_peer_name ?? [], suiteCase.expected_peer_names].flat();
  return path !== undefined && names.every((name) => carriesName(leaf, name)) ? 'SUCCESS' : 'FAILURE';
}

function purposeOf({ extended_key_usage: [purpose], validation_kind: kind }: SuiteCase): string {
  if (purpose === undefined) return kind === 'SERVER' ? KeyPurpose.serverAuth : KeyPurpose.clientAuth;
  const known = PURPOSES[purpose];
  if (known === undefined) throw new Error(`unknown purpose: ${purpose}`);
  return known;
}

/** A certificate that cannot be parsed cannot be part of a path. */
function readAll(pems: readonly string[]): Certificate[] {
  return pems.flatMap(certificatesInPem).flatMap((der) => {
    try {
      return [Certificate.parse(der)];
    } catch (error) {
      if (error instanceof ParseError) return [];
      throw error;
    }
  });
}
