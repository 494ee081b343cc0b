import type { OcspClient } from '../../../revocation/ocsp-client.ts';
import type { Certificate } from '../../../x509/index.ts';
import { allPassed, type Verdict } from '../../method/index.ts';
import type { LoadedRole } from '../role/role-registry.ts';

/** Whether a path was revoked, as a role wants it checked. Asked last: it may cost a request to somewhere else. */
export interface RevocationChecks {
  /**
   * @param path leaf first, anchor last
   * @param mountVersion of the mount, as it was read for this login
   */
  verdicts(path: readonly Certificate[], role: LoadedRole, mountVersion: number): Promise<readonly Verdict[]>;
}

/** One after the other, as long as none refuses: put first what costs nothing. */
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

/** By OCSP, where the role asks for it, with the settings of that role alone. */
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
  expected: 'ocsp_ca_certificates that can be read',
  actual: 'neither PEM nor base64 of it',
};
