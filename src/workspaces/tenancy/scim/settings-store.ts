import { type Queries, sql } from '../../../storage/index.ts';

/** Settings of SCIM provisioning. */
export interface ScimSettings {
  readonly enabled: boolean;
  /** True while the server refuses requests of the directory. */
  readonly paused: boolean;
  /** Group whose members are site administrators. */
  readonly siteAdminGroupId: string | null;
  readonly siteAdminGroupName: string | null;
}

interface Row {
  readonly enabled: number;
  readonly paused: number;
  readonly siteAdminGroupId: string | null;
  readonly siteAdminGroupName: string | null;
}

const OFF: ScimSettings = { enabled: false, paused: false, siteAdminGroupId: null, siteAdminGroupName: null };

const selectSettings = sql<Record<string, never>, Row>(
  `SELECT s.enabled, s.paused, s.site_admin_group_id AS "siteAdminGroupId", g.display_name AS "siteAdminGroupName"
   FROM scim_setting s LEFT JOIN scim_group g ON g.id = s.site_admin_group_id WHERE s.id = 1`,
);
const putSettingsStatement = sql<{ enabled: number; paused: number; siteAdminGroupId: string | null }>(
  `INSERT INTO scim_setting (id, enabled, paused, site_admin_group_id) VALUES (1, :enabled, :paused, :siteAdminGroupId)
   ON CONFLICT (id) DO UPDATE SET enabled = excluded.enabled, paused = excluded.paused,
     site_admin_group_id = excluded.site_admin_group_id`,
);

const unsetGroup = sql<{ groupId: string }>(
  'UPDATE scim_setting SET site_admin_group_id = NULL WHERE site_admin_group_id = :groupId',
);

export async function readSettings(db: Queries): Promise<ScimSettings> {
  const row = await db.one(selectSettings, {});
  return row ? { ...row, enabled: row.enabled === 1, paused: row.paused === 1 } : OFF;
}

export function putSettings(
  db: Queries,
  { enabled, paused, siteAdminGroupId }: Omit<ScimSettings, 'siteAdminGroupName'>,
) {
  return db.run(putSettingsStatement, { enabled: Number(enabled), paused: Number(paused), siteAdminGroupId });
}

/** Removes the group as the source of site administrators. */
export function leaveGroup(db: Queries, groupId: string) {
  return db.run(unsetGroup, { groupId });
}
