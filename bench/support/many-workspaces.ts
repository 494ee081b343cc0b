import { type Database, openKeyring, type Params, sql, type Transaction } from '../../src/storage/index.ts';
import { newTokenText } from '../../src/workspaces/authentication/token-text.ts';
import { DEFAULT_SETTINGS } from '../../src/workspaces/workspace/settings.ts';

const MEMBER = 'user-benchMember';
const PROJECTS = 200;
/** Of these tags each workspace carries one of every kind: one in 10, in 100 and in 1,000 workspaces has it. */
const TAGS = [
  ['env', 10],
  ['area', 100],
  ['unit', 1000],
] as const;

/** Ids and numbers in names: as many digits for each, and counted from 0 whatever the number of workspaces. */
const numberOf = (i: string) => `cast(1000000 + ${i} as text)`;
const WORKSPACE = `'ws-bench' || ${numberOf('i')}`;
/** Not in the order of the ids. */
const NAME = `word || '-' || ${numberOf('(i * 7919) % :count')}`;
const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)';
const WORDS = `, w (k, word) AS (VALUES (0, 'payments-eu'), (1, 'search'), (2, 'identity-us'), (3, 'billing'),
  (4, 'network-core'), (5, 'storage'), (6, 'observability'), (7, 'edge-cache'))`;
const EACH = `${NUMBERS}${WORDS}, x (i, name) AS (SELECT i, ${NAME} FROM n JOIN w ON w.k = i % 8)`;

const PROJECT_ROWS = `${NUMBERS} INSERT INTO project (id, organization_id, name, workspace_count, created_at)
  SELECT 'prj-bench' || ${numberOf('i')}, :organization, 'project-' || ${numberOf('i')}, 0, :now FROM n`;
const WORKSPACE_ROWS = `${EACH} INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count,
    version, created_at, updated_at, latest_change_at)
  SELECT ${WORKSPACE}, :organization, 'prj-bench' || ${numberOf(`i % ${PROJECTS}`)}, name, :settings, 0, 1, :now, :now,
    :now + (i * 6151) % :count FROM x`;
const TEAM_ROWS = `${NUMBERS} INSERT INTO team (id, organization_id, name, owners, visibility, access, created_at)
  SELECT 'team-bench' || ${numberOf('i')}, :organization, 'team-' || ${numberOf('i')}, 0, 'secret', '{}', :now FROM n`;
const tagRows = (kind: string) =>
  `${NUMBERS} INSERT INTO tag (id, organization_id, name, instance_count, created_at)
   SELECT 'tag-${kind}' || ${numberOf('i')}, :organization, '${kind}-' || ${numberOf('i')}, 0, :now FROM n`;
const tagLinkRows = (kind: string, number: number) =>
  `${EACH} INSERT INTO workspace_tag (tag_id, workspace_name, workspace_id)
   SELECT 'tag-${kind}' || ${numberOf(`(i * 7 + i / ${PROJECTS}) % ${number}`)}, name, ${WORKSPACE} FROM x`;
const grantRows = (kind: string, team: string, where: string) =>
  `${EACH} INSERT INTO team_workspace (id, team_id, workspace_id, workspace_name, project_id, access, custom, shows,
     created_at)
   SELECT 'tws-${kind}' || ${numberOf('i')}, 'team-bench' || ${numberOf(team)}, ${WORKSPACE}, name,
     'prj-bench' || ${numberOf(`i % ${PROJECTS}`)}, 'write', '{}', 1, :now FROM x WHERE ${where}`;
const MEMBER_PROJECT = `INSERT INTO team_project (id, team_id, project_id, access, project_custom, custom, shows,
    created_at)
  VALUES ('tprj-bench', 'team-bench1000001', 'prj-bench1000000', 'write', '{}', '{}', 1, :now)`;
const COUNTERS = [
  'UPDATE organization SET workspace_count = (SELECT count(*) FROM workspace w WHERE w.organization_id = organization.id)',
  'UPDATE project SET workspace_count = (SELECT count(*) FROM workspace w WHERE w.project_id = project.id)',
  'UPDATE tag SET instance_count = (SELECT count(*) FROM workspace_tag l WHERE l.tag_id = tag.id)',
];
const MEMBER_ROWS = [
  `INSERT INTO account (id, username, email, created_at) VALUES (:member, 'member', 'member@example.com', :now)`,
  `INSERT INTO team_member (team_id, account_id) VALUES ('team-bench1000000', :member), ('team-bench1000001', :member)`,
  `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
   VALUES ('ou-bench', :organization, :member, 'member@example.com', 'active', :now)`,
  `INSERT INTO authentication_token (id, account_id, hash, description, created_at)
   VALUES (:token, :member, :hash, 'bench', :now)`,
];
const selectOrganization = sql<Record<never, never>, { id: string }>('SELECT id FROM organization');

/** Runs a statement with what it names of the parameters. */
function run(tx: Transaction, text: string, params: Params) {
  const named = Object.entries(params).filter(([name]) => new RegExp(`:${name}\\b`).test(text));
  return tx.run(sql<Params>(text), Object.fromEntries(named));
}

/**
 * Fills the one organization: `count` workspaces in 200 projects, three tag links for each, a team for each hundred of
 * them with grants for a hundred. The member is in two more teams: one with grants for single workspaces, one with a
 * project. One in a hundred is seen, half of them by either. Returns the member's token.
 */
export async function fill(database: Database, keyringFile: string, count: number): Promise<string> {
  const organization = (await database.one(selectOrganization, {}))?.id ?? '';
  const { id: token, text, hash } = newTokenText(await openKeyring(keyringFile), '1pABPw8bAhFpmvPj');
  const settings = JSON.stringify(DEFAULT_SETTINGS);
  const params = { organization, now: Date.now(), count, settings, member: MEMBER, token, hash };
  const teams = count / 100;
  await database.transaction(async (tx) => {
    await run(tx, PROJECT_ROWS, { ...params, count: PROJECTS });
    await run(tx, WORKSPACE_ROWS, params);
    await run(tx, TEAM_ROWS, { ...params, count: teams + 2 });
    for (const [kind, number] of TAGS) {
      await run(tx, tagRows(kind), { ...params, count: number });
      await run(tx, tagLinkRows(kind, number), params);
    }
    await run(tx, grantRows('team', `2 + i % ${teams}`, '1 = 1'), params);
    await run(tx, grantRows('member', '0', `i % ${PROJECTS} = (i / ${PROJECTS}) % ${PROJECTS} + 1`), params);
    await run(tx, MEMBER_PROJECT, params);
    for (const rows of [...COUNTERS, ...MEMBER_ROWS]) await run(tx, rows, params);
  });
  return text;
}
