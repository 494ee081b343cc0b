import { type Database, sql } from '../../../storage/index.ts';
import { storedSettings } from '../settings/role-settings.ts';

/**
 * @limit roles whose OCSP responders one check of all responders includes, roles -> the responders of other roles are
 * not checked
 */
const MAX_ROLES = 1_000;

const asking = sql<{ most: number }, { mount: string; role: string; settings: string }>(
  `SELECT m.path AS mount, r.name AS role, r.settings FROM role r JOIN mount m ON m.id = r.mount_id AND m.removed_at IS NULL
   WHERE r.settings LIKE '%"ocsp_enabled":true%' AND r.settings LIKE '%"ocsp_servers_override":["%' ORDER BY m.path, r.name LIMIT :most`,
);

/** Returns the OCSP responders that roles set instead of those in the certificates, for `lockkeeper diagnose`. */
export async function responderFacts(database: Database) {
  const rows = await database.all(asking, { most: MAX_ROLES });
  return rows.flatMap(({ mount, role, settings }) =>
    (storedSettings(settings).ocsp_servers_override ?? []).map((url) => ({ mount, role, url })),
  );
}
