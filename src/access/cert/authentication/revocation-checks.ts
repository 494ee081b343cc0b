import type { OcspClient } from '../../../revocation/ocsp-client.ts';
import type { Certificate } from '../../../x509/index.ts';
import { allPassed, type Verdict } from '../../method/index.ts';
import type { LoadedRole } from '../role/role-registry.ts';

/**
 * Revocation checks of a chain, as a role requires them. They run last, because they may send requests to other
 * servers.
 */
export interface RevocationChecks {
  /**
   * @param path leaf first, anchor last
   * @param mountVersion version of the mount, as read for this login
   */
  verdicts(path: readonly Certificate[], role: LoadedRole, mountVersion: number): Promise<readonly Verdict[]>;
}

/** Runs checks in order until one refuses. Put local checks first. */
export function combineChecks(...all: readonly RevocationChecks[]): RevocationChecks {
  return {
    async verdicts(path, role, mountVersion) {
      const verdicts: Verdict[] = [];
      for (const checks of all) {
        verdicts.push(...(await checks.verdicts(path, role, mountVersion)));
        if (!allPassed(verdicts)) break;
      }
      return verdicts;
    },
  };
}

/** OCSP checks with the settings of the role, for roles that enable it. */
export function ocspChecks(client: OcspClient): RevocationChecks {
  return {
    async verdicts([leaf, issuer], { settings, responderCertificates }) {
      if (!leaf || !settings.ocsp_enabled) return [];
      if (!responderCertificates) return [UNREADABLE_RESPONDERS];
      return client.check(leaf, issuer, {
        serversOverride: settings.ocsp_servers_override ?? [],
        responderCertificates,
        failOpen: settings.ocsp_fail_open,
        thisUpdateMaxAge: settings.ocsp_this_update_max_age,
        maxRetries: settings.ocsp_max_retries,
        queryAllServers: settings.ocsp_query_all_servers,
      });
    },
  };
}

const UNREADABLE_RESPONDERS: Verdict = {
  check: 'ocsp',
  outcome: 'refused',
  expected: 'readable ocsp_ca_certificates',
  actual: 'neither PEM nor base64-encoded PEM',
};
