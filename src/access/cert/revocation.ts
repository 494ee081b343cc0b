import type { Certificate } from '../../x509/index.ts';
import type { RoleSettings } from './role-fields.ts';
import type { Verdict } from './verdict.ts';

/** Whether a path was revoked, as a role wants it checked. Asked last: it may cost a request to somewhere else. */
export interface RevocationChecks {
  /** @param path leaf first, anchor last */
  verdicts(path: readonly Certificate[], settings: RoleSettings): Promise<readonly Verdict[]>;
}
