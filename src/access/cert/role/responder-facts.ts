import { type Database, sql } from '../../../storage/index.ts';
import { storedSettings } from '../settings/role-settings.ts';

/** A responder that a role names itself, in place of those that certificates name. */
export interface ResponderFacts {
  /** The path of the mount. */
  readonly mount: string;
  readonly role: string;
  readonly url: string;
}

/** @limit roles whose responders are looked at together, roles -> those of others are not looked at */
const MAX_ROLES = 1_000;

const asking = sql<{ most: number }, { mount: string; role: string; settings: string }>(
  `SELECT m.path AS mount, r.name AS role, r.settings FROM role r JOIN mount m ON m.id = r.mount_id AND m.removed_at IS NULL
   WHERE r.settings LIKE '%"ocsp_enabled":true%' AND r.settings LIKE '%"ocsp_servers_override":["%' ORDER BY m.path, r.name LIMIT :most`,
);

/** Of roles that ask responders of their own. */
export async function responderFacts(database: Database): Promise<readonly ResponderFacts[]> {
  const rows = await database.all(asking, { most: MAX_ROLES });
  return rows.flatMap(({ mount, role, settings }) =>
    (storedSettings(settings).ocsp_servers_override ?? []).map((url) => ({ mount, role, url })),
  );
}
