import type { Plain } from '../../../jwt/index.ts';
import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';

/** Rule that lets pipelines act for a team: their token must have this issuer, one of the audiences and all claims. */
export interface PipelineIdentity {
  readonly id: string;
  readonly teamId: string;
  readonly description: string;
  readonly issuer: string;
  /** URL of the issuer's keys. If empty, the issuer's discovery document names it. */
  readonly jwksUrl: string;
  /** The token must contain one of them. */
  readonly audiences: readonly string[];
  /** Allowed values by name or JSON pointer of the claim. A star in a text matches any characters. */
  readonly claims: Readonly<Record<string, readonly Plain[]>>;
  /** Lifetime of issued tokens, in seconds. */
  readonly tokenTtl: number;
  readonly createdAt: number;
  /** Time of the last token issued, to the minute. Null if none was issued. */
  readonly lastUsedAt: number | null;
}

/** Identity that a token of its issuer is checked against. */
export type Candidate = PipelineIdentity & InOrganization;

interface InOrganization {
  readonly organizationId: string;
}

type Row = Omit<PipelineIdentity, 'audiences' | 'claims'> & { readonly audiences: string; readonly claims: string };

/** Rules under which a token was accepted. */
type Decided = Pick<Row, 'id' | 'issuer' | 'jwksUrl' | 'audiences' | 'claims'>;

const COLUMNS = `i.id, i.team_id AS "teamId", i.description, i.issuer, i.jwks_url AS "jwksUrl", i.audiences, i.claims,
  i.token_ttl AS "tokenTtl", i.created_at AS "createdAt", i.last_used_at AS "lastUsedAt"`;
/** This join excludes teams of an organization that is being removed. */
const OF_TEAM = `pipeline_identity i JOIN team t ON t.id = i.team_id
  JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL`;

const selectOne = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM ${OF_TEAM} WHERE i.id = :id`);
const selectPage = sql<{ teamId: string; size: number; offset: number }, Row>(
  `SELECT ${COLUMNS} FROM ${OF_TEAM} WHERE i.team_id = :teamId ORDER BY i.id LIMIT :size OFFSET :offset`,
);
const countTeam = sql<{ teamId: string }, { count: number }>(
  'SELECT COUNT(*) AS count FROM pipeline_identity WHERE team_id = :teamId',
);
const selectOfTeam = sql<{ teamId: string; issuer: string }, Row & InOrganization>(
  `SELECT ${COLUMNS}, o.id AS "organizationId" FROM ${OF_TEAM} WHERE i.team_id = :teamId AND i.issuer = :issuer ORDER BY i.id`,
);
const selectByNames = sql<{ organization: string; team: string }, { id: string }>(
  `SELECT t.id FROM team t JOIN organization o ON o.id = t.organization_id AND o.deleted_at IS NULL
   WHERE o.name = :organization AND t.name = :team`,
);
const insertRow = sql<Row & Record<string, string | number | null>>(
  `INSERT INTO pipeline_identity
     (id, team_id, description, issuer, jwks_url, audiences, claims, token_ttl, created_at, last_used_at)
   VALUES (:id, :teamId, :description, :issuer, :jwksUrl, :audiences, :claims, :tokenTtl, :createdAt, :lastUsedAt)`,
);
type Changes = Pick<Row, 'description' | 'issuer' | 'jwksUrl' | 'audiences' | 'claims' | 'tokenTtl'>;
const updateRow = sql<{ id: string } & { [Name in keyof Changes]: Changes[Name] | null }>(
  `UPDATE pipeline_identity
   SET description = COALESCE(:description, description), issuer = COALESCE(:issuer, issuer),
     jwks_url = COALESCE(:jwksUrl, jwks_url), audiences = COALESCE(:audiences, audiences),
     claims = COALESCE(:claims, claims), token_ttl = COALESCE(:tokenTtl, token_ttl)
   WHERE id = :id`,
);
const removeTokens = sql<{ id: string }>('DELETE FROM authentication_token WHERE pipeline_identity_id = :id');
const removeRow = sql<{ id: string }>('DELETE FROM pipeline_identity WHERE id = :id');
// Locks the row, so that no other transaction issues tokens for this identity meanwhile. Returns nothing if the rules
// have changed since the decision.
const claimRow = sql<Decided & { now: number; before: number }, { id: string }>(
  `UPDATE pipeline_identity
   SET last_used_at = CASE WHEN last_used_at IS NULL OR last_used_at < :before THEN :now ELSE last_used_at END
   WHERE id = :id AND issuer = :issuer AND jwks_url = :jwksUrl AND audiences = :audiences AND claims = :claims
   RETURNING id`,
);
const removeEnded = sql<{ id: string; until: number }>(
  'DELETE FROM authentication_token WHERE pipeline_identity_id = :id AND expires_at <= :until',
);
const countTokens = sql<{ id: string; now: number }, { count: number }>(
  'SELECT COUNT(*) AS count FROM authentication_token WHERE pipeline_identity_id = :id AND expires_at > :now',
);
const markToken = sql<{ id: string; identityId: string }>(
  'UPDATE authentication_token SET pipeline_identity_id = :identityId WHERE id = :id',
);

/** Finds an identity. Returns undefined if it does not exist. */
export async function findPipelineIdentity(db: Queries, id: string): Promise<PipelineIdentity | undefined> {
  const row = await db.one(selectOne, { id });
  return row && read(row);
}

/** Lists the identities of a team in the order of their creation. */
export async function listIdentitiesOfTeam(db: Queries, teamId: string, { size, offset }: Page) {
  const rows = await db.all(selectPage, { teamId, size, offset });
  return { items: rows.map(read), total: await countPipelineIdentities(db, teamId) };
}

export async function countPipelineIdentities(db: Queries, teamId: string): Promise<number> {
  return (await db.one(countTeam, { teamId }))?.count ?? 0;
}

/** Returns the identities of a team with this issuer. */
export async function candidateIdentities(db: Queries, teamId: string, issuer: string): Promise<readonly Candidate[]> {
  return (await db.all(selectOfTeam, { teamId, issuer })).map(read);
}

/**
 * Finds a team by name.
 * @returns its id; undefined if the team does not exist
 */
export async function teamOf(db: Queries, organization: string, team: string): Promise<string | undefined> {
  return (await db.one(selectByNames, { organization, team }))?.id;
}

export function insertPipelineIdentity(db: Queries, { audiences, claims, ...identity }: PipelineIdentity) {
  return db.run(insertRow, { ...identity, audiences: JSON.stringify(audiences), claims: JSON.stringify(claims) });
}

/** Updates the given fields. Undefined fields stay unchanged. */
export function updatePipelineIdentity(db: Queries, id: string, changes: Partial<Omit<PipelineIdentity, 'id'>>) {
  const { description = null, issuer = null, jwksUrl = null, audiences, claims, tokenTtl = null } = changes;
  const rules = {
    audiences: audiences ? JSON.stringify(audiences) : null,
    claims: claims ? JSON.stringify(claims) : null,
  };
  return db.run(updateRow, { id, description, issuer, jwksUrl, tokenTtl, ...rules });
}

/** Deletes all tokens that were issued for the identity. */
export function endTokens(db: Queries, id: string) {
  return db.run(removeTokens, { id });
}

export function removePipelineIdentity(db: Queries, id: string) {
  return db.run(removeRow, { id });
}

/**
 * Locks the identity until the transaction ends. Stores `now` as its last use, unless there is one after `before`.
 * @returns whether the identity exists and has the same rules as when it was read
 */
export async function claimPipelineIdentity(
  db: Queries,
  identity: PipelineIdentity,
  now: number,
  before: number,
): Promise<boolean> {
  const { id, issuer, jwksUrl } = identity;
  const rules = { audiences: JSON.stringify(identity.audiences), claims: JSON.stringify(identity.claims) };
  return (await db.one(claimRow, { id, issuer, jwksUrl, ...rules, now, before })) !== undefined;
}

/**
 * Deletes tokens that expired by `until`.
 * @returns the number of tokens that are still valid
 */
export async function tidyTokens(db: Queries, id: string, until: number, now: number): Promise<number> {
  await db.run(removeEnded, { id, until });
  return (await db.one(countTokens, { id, now }))?.count ?? 0;
}

/** Marks a token as issued for an identity. */
export function markTokenIssued(db: Queries, id: string, identityId: string) {
  return db.run(markToken, { id, identityId });
}

function read<R extends Row>({ audiences, claims, ...row }: R) {
  return {
    ...row,
    audiences: JSON.parse(audiences) as string[],
    claims: JSON.parse(claims) as PipelineIdentity['claims'],
  };
}
