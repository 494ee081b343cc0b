import { type Static, type TSchema, Type } from 'typebox';
import { AppError } from '../../../../lib/errors.ts';
import { pageQuery } from '../../../jsonapi/pagination.ts';
import { commaList, text } from '../../../jsonapi/schema.ts';
import { containing, type Fragment, fragment, isOneOf } from '../../../query/dynamic.ts';
import { type Grant, organizationWideAccess } from '../../../tenancy/index.ts';
import { STATUS_GROUPS } from '../../lifecycle/status.ts';

/**
 * Each value costs one comparison.
 * @limit values of a filter of runs, values -> 400
 */
const MAX_WORDS = 50;
const YEAR_MS = 366 * 86_400_000;

const filter = Type.Optional(text(2000));

const FILTERS = {
  include: filter,
  'search[user]': filter,
  'search[commit]': filter,
  'search[basic]': filter,
  'filter[operation]': filter,
  'filter[status]': filter,
  'filter[source]': filter,
  'filter[status_group]': filter,
  'filter[timeframe]': filter,
  'filter[agent_pool_names]': filter,
  'filter[workspace_names]': filter,
} satisfies Record<string, TSchema>;

/** Query parameters of a list of runs. */
export const RunQuery = Type.Object({ ...pageQuery, ...FILTERS });
type Query = Partial<Readonly<Record<keyof typeof FILTERS, string>>> & Pick<Static<typeof RunQuery>, never>;

/** Returns conditions on `run r`, all of which must hold. @throws 400 for too many values */
export function conditionsOf(query: Query, now: number): Fragment[] {
  return [
    ...oneOf(query, 'filter[operation]', 'r.operation'),
    ...oneOf(query, 'filter[status]', 'r.status'),
    ...oneOf(query, 'filter[source]', 'r.source'),
    ...statusGroups(query),
    ...timeframe(query, now),
    ...agentPools(query),
    ...workspaceNames(query),
    ...search(query),
  ];
}

function words(query: Query, parameter: keyof Query): string[] | undefined {
  if (!query[parameter]) return undefined;
  const given = commaList(query[parameter]).map((word) => word.trim());
  if (given.length <= MAX_WORDS) return given;
  const detail = `${parameter} takes at most ${MAX_WORDS} values`;
  throw new AppError('bad-request', detail, { issues: [{ detail, parameter }] });
}

function oneOf(query: Query, parameter: keyof Query, column: string): Fragment[] {
  const given = words(query, parameter);
  return given === undefined ? [] : [isOneOf(column, given)];
}

function statusGroups(query: Query): Fragment[] {
  const groups = words(query, 'filter[status_group]');
  if (groups === undefined) return [];
  return [isOneOf('r.status', [...new Set(groups.flatMap((group) => STATUS_GROUPS[group] ?? []))])];
}

/** Accepts a year with four digits, or `year` for the last twelve months. */
function timeframe(query: Query, now: number): Fragment[] {
  const given = words(query, 'filter[timeframe]');
  if (given === undefined) return [];
  const spans = given.flatMap((word) => {
    if (word === 'year') return [fragment`r.created_at >= ${now - YEAR_MS}`];
    if (!/^20\d\d$/.test(word)) return [];
    const year = Number(word);
    return [fragment`(r.created_at >= ${Date.UTC(year)} and r.created_at < ${Date.UTC(year + 1)})`];
  });
  return [spans.length === 0 ? fragment`1 = 0` : fragment`(${fragment.join(spans, fragment` or `)})`];
}

function agentPools(query: Query): Fragment[] {
  const names = words(query, 'filter[agent_pool_names]');
  if (names === undefined) return [];
  return [
    fragment`r.workspace_id in (select w.id from workspace w join agent_pool p on p.id = w.agent_pool_id
      where ${isOneOf('p.name', names)})`,
  ];
}

function workspaceNames(query: Query): Fragment[] {
  const names = words(query, 'filter[workspace_names]');
  if (names === undefined) return [];
  return [
    fragment`r.workspace_id in (select w.id from workspace w
      where w.organization_id = r.organization_id and ${isOneOf('w.name', names)})`,
  ];
}

/** A search for a user or a commit takes precedence over the basic search. */
function search(query: Query): Fragment[] {
  const { 'search[user]': user, 'search[commit]': commit, 'search[basic]': basic } = query;
  if (commit) return [ofCommit(commit)];
  if (user) return [contains('r.created_by_name', user)];
  if (!basic) return [];
  const fields = [contains('r.message', basic), contains('r.created_by_name', basic), ofCommit(basic)];
  return [fragment`(r.id = ${basic} or ${fragment.join(fields, fragment` or `)})`];
}

/** Returns the condition that the ID of the commit of run `r` begins with this text. */
function ofCommit(text: string): Fragment {
  if (!/^[0-9a-f]{4,40}$/i.test(text)) return fragment`1 = 0`;
  // Texts inside of the JSON escape their quotes, so only the member itself has this form.
  const member = `%"commitSha":"${text.toLowerCase()}%`;
  return fragment`exists (select 1 from ingress_attributes i
    where i.configuration_version_id = r.configuration_version_id and i.attributes like ${member})`;
}

function contains(column: string, part: string): Fragment {
  return fragment`lower(${fragment.raw(column)}) like ${containing(part.toLowerCase())} escape '\\'`;
}

/**
 * Returns the condition that the actor's grant shows run `r` in a list of the organization; none if the grant shows
 * all runs.
 */
export function readableRuns(grant: Grant): Fragment[] {
  if (organizationWideAccess(grant).runs !== 'none') return [];
  const given = fragment`${isOneOf('a.team_id', grant.teamIds)} and a.runs <> 'none'`;
  return [
    fragment`r.workspace_id in (select a.workspace_id from team_workspace a where ${given}
      union select w.id from workspace w join team_project a on a.project_id = w.project_id where ${given})`,
  ];
}
