import { type Database, openKeyring, type Params, sql, type Transaction } from '../../src/storage/index.ts';
import { newTokenText } from '../../src/workspaces/tenancy/authentication/token-text.ts';
import { DEFAULT_SETTINGS } from '../../src/workspaces/workspace/model/settings.ts';

/** Users who are not owners, with their teams (by number) and the public part of their token. */
const MEMBERS = {
  member: { teams: [0, 1], publicId: '1pABPw8bAhFpmvPj' },
  half: { teams: [2, 3], publicId: '1pABPw8bAhFpmvPk' },
} as const;
const PROJECTS = 200;
/** Kinds of tags: one in 10, in 100 and in 1,000 workspaces has a given tag. */
const TAGS = [
  ['env', 10],
  ['area', 100],
  ['unit', 1000],
] as const;

/** Returns IDs and numbers of constant width, counted from 0. */
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
/** One in five has no run. The current run of one in a hundred has failed. */
const WORKSPACE_ROWS = `${EACH} INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count,
    version, created_at, updated_at, latest_change_at, current_run_status, current_run_created_at)
  SELECT ${WORKSPACE}, :organization, 'prj-bench' || ${numberOf(`i % ${PROJECTS}`)}, name, :settings, 0, 1, :now, :now,
    :now + (i * 6151) % :count,
    CASE WHEN i % 5 = 0 THEN null WHEN i % 100 = 1 THEN 'errored' ELSE 'applied' END,
    CASE WHEN i % 5 = 0 THEN null ELSE :now + (i * 3079) % :count END FROM x`;
/** One in ten has a key of its own with one of ten values. One in twenty inherits another key from its project. */
const BINDING_ROWS = `${EACH} INSERT INTO tag_binding (id, organization_id, workspace_id, workspace_name, key, value,
    created_at)
  SELECT 'tb-bench' || ${numberOf('i')}, :organization, ${WORKSPACE}, name, 'tier', 't' || ((i / 10) % 10), :now
  FROM x WHERE i % 10 = 3`;
const PROJECT_BINDING_ROWS = `${NUMBERS} INSERT INTO project_tag_binding (id, organization_id, project_id, key, value,
    created_at)
  SELECT 'ptb-bench' || ${numberOf('i')}, :organization, 'prj-bench' || ${numberOf('i')}, 'cost', 'c' || (i % 4), :now
  FROM n WHERE i % 20 = 0`;
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
     runs, created_at)
   SELECT 'tws-${kind}' || ${numberOf('i')}, 'team-bench' || ${numberOf(team)}, ${WORKSPACE}, name,
     'prj-bench' || ${numberOf(`i % ${PROJECTS}`)}, 'write', '{}', 1, 'apply', :now FROM x WHERE ${where}`;
const projectGrantRows = (kind: string, team: number, where: string) =>
  `${NUMBERS} INSERT INTO team_project (id, team_id, project_id, access, project_custom, custom, shows, runs,
     variable_sets, created_at)
   SELECT 'tprj-${kind}' || ${numberOf('i')}, 'team-bench' || ${numberOf(`${team}`)}, 'prj-bench' || ${numberOf('i')},
     'write', '{}', '{}', 1, 'apply', 'read', :now FROM n WHERE ${where}`;
const COUNTERS = [
  'UPDATE organization SET workspace_count = (SELECT count(*) FROM workspace w WHERE w.organization_id = organization.id)',
  'UPDATE project SET workspace_count = (SELECT count(*) FROM workspace w WHERE w.project_id = project.id)',
  'UPDATE tag SET instance_count = (SELECT count(*) FROM workspace_tag l WHERE l.tag_id = tag.id)',
];
const MEMBER_ROWS = [
  `INSERT INTO account (id, username, email, created_at) VALUES (:member, :username, :email, :now)`,
  `INSERT INTO organization_membership (id, organization_id, account_id, email, status, created_at)
   VALUES (:membership, :organization, :member, :email, 'active', :now)`,
  `INSERT INTO authentication_token (id, account_id, hash, description, created_at)
   VALUES (:token, :member, :hash, 'bench', :now)`,
];
const TEAM_MEMBER = `INSERT INTO team_member (team_id, account_id)
  VALUES ('team-bench' || ${numberOf('cast(:team as integer)')}, :member)`;
const selectOrganization = sql<Record<never, never>, { id: string }>('SELECT id FROM organization');

/** Runs a statement with those parameters that it names. */
function run(tx: Transaction, text: string, params: Params) {
  const named = Object.entries(params).filter(([name]) => new RegExp(`:${name}\\b`).test(text));
  // PostgreSQL infers the type of a parameter from its first use.
  const typed = text.replaceAll(/:(now|count)\b/g, 'cast(:$1 as bigint)');
  return tx.run(sql<Params>(typed), Object.fromEntries(named));
}

/** Token of each user. */
export type MemberTokens = Readonly<Record<keyof typeof MEMBERS, string>>;

/**
 * Fills one organization: `count` workspaces in 200 projects with three tags each, and one team with a hundred grants
 * for each hundred workspaces. `member` sees one in a hundred and `half` sees half of them, in both cases half by
 * workspace grants and half by project grants of separate teams.
 */
export async function fill(database: Database, keyringFile: string, count: number): Promise<MemberTokens> {
  const organization = (await database.one(selectOrganization, {}))?.id ?? '';
  const settings = JSON.stringify(DEFAULT_SETTINGS);
  const params = { organization, now: Date.now(), count, settings };
  const teams = count / 100;
  const keyring = await openKeyring({ file: keyringFile });
  return database.transaction(async (tx) => {
    // Disables triggers, because updating one row thousands of times in a transaction is slow on PostgreSQL.
    if (tx.dialect === 'postgres') await tx.run(sql('SET LOCAL session_replication_role = replica'), {});
    await run(tx, PROJECT_ROWS, { ...params, count: PROJECTS });
    await run(tx, WORKSPACE_ROWS, params);
    await run(tx, TEAM_ROWS, { ...params, count: teams + 4 });
    for (const [kind, number] of TAGS) {
      await run(tx, tagRows(kind), { ...params, count: number });
      await run(tx, tagLinkRows(kind, number), params);
    }
    await run(tx, BINDING_ROWS, params);
    await run(tx, PROJECT_BINDING_ROWS, { ...params, count: PROJECTS });
    await run(tx, grantRows('team', `4 + i % ${teams}`, '1 = 1'), params);
    await run(tx, grantRows('member', '0', `i % ${PROJECTS} = (i / ${PROJECTS}) % ${PROJECTS} + 1`), params);
    await run(tx, projectGrantRows('member', 1, 'i = 0'), { ...params, count: PROJECTS });
    await run(tx, grantRows('half', '2', `i % ${PROJECTS} >= 50 AND i % 3 = 0`), params);
    await run(tx, projectGrantRows('half', 3, 'i < 50'), { ...params, count: PROJECTS });
    for (const rows of COUNTERS) await run(tx, rows, params);
    const tokens = { member: '', half: '' };
    for (const [username, { teams: of, publicId }] of Object.entries(MEMBERS)) {
      const { id: token, text, hash } = newTokenText(keyring, publicId);
      const member = `user-bench${username}`;
      const rest = { member, username, email: `${username}@example.com`, membership: `ou-bench${username}` };
      for (const rows of MEMBER_ROWS) await run(tx, rows, { ...params, ...rest, token, hash });
      for (const team of of) await run(tx, TEAM_MEMBER, { ...params, member, team });
      tokens[username as keyof typeof MEMBERS] = text;
    }
    return tokens;
  });
}
