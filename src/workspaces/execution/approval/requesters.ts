import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { serviceAccountsAmong, teamMemberIds, userIdsByNames } from '../../tenancy/index.ts';
import type { Requester, RequesterPart } from './requester.ts';
import * as store from './requester-store.ts';

/** @limit members of a team that requests a run, users -> if a rule excludes requesters, no approval counts */
const MAX_MEMBERS = 1000;

/** Somebody who requests a run that is about to start. */
export interface Asker {
  readonly part: RequesterPart;
  readonly by: Identifier;
}

/** Run that starts or that triggers another one. */
interface StartedRun {
  readonly id: string;
  readonly createdBy: Identifier;
}

/** Run whose plan somebody reports. */
interface PlannedRun {
  readonly id: string;
  readonly parameters: { readonly 'plan-only': boolean };
}

/** Parts that make nobody a requester of a triggered run: its own configuration and plan count. */
const OF_CONFIGURATION: readonly RequesterPart[] = ['configuration', 'commit', 'plan'];

/**
 * Stores the requesters of a run at its start, so that later changes of schedules and settings do not matter, and nobody
 * ceases to be one by leaving a team.
 * @param inherited requesters of the run that triggered it
 * @param pusher user name at a VCS provider of the configuration's commit
 */
export async function storeRequesters(
  tx: Transaction,
  run: StartedRun,
  askers: readonly Asker[],
  inherited: readonly Requester[] = [],
  pusher: string | null = null,
): Promise<void> {
  // `createdBy` of the run says the same about a user.
  const own = run.createdBy.type === 'teams' ? [{ part: 'start', by: run.createdBy } as const] : [];
  const asked = await requestersAmong(tx, [...own, ...askers]);
  // An inherited requester keeps the members of the earlier run.
  for (const requester of [...inherited, ...asked, ...(pusher ? await pushedBy(tx, pusher) : [])])
    await store.insertRequester(tx, run.id, requester);
}

/**
 * Stores who reports the plan of a run, its log or an output of it. Approvers see what this principal reports, so its own
 * approval must not count. Has no effect for an agent, and for a run that is never approved.
 */
export async function storeReporter(tx: Transaction, { id, parameters }: PlannedRun, by: Identifier): Promise<void> {
  if (parameters['plan-only']) return;
  for (const requester of await requestersAmong(tx, [{ part: 'plan', by }]))
    await store.insertRequester(tx, id, requester);
}

async function requestersAmong(tx: Transaction, askers: readonly Asker[]): Promise<Requester[]> {
  const ofTokens = await serviceAccountsAmong(
    tx,
    askers.flatMap(({ by }) => (by.type === 'users' ? [by.id] : [])),
  );
  const found: Requester[] = [];
  for (const { part, by } of askers) {
    if (by.type !== 'users' && by.type !== 'teams') continue;
    const type = ofTokens.has(by.id) ? 'organization' : by.type;
    found.push({ part, type, id: by.id, members: await membersOf(tx, by) });
  }
  return found;
}

/** Returns the requesters that the runs have which this run triggers. */
export async function triggering(tx: Transaction, { id, createdBy }: StartedRun): Promise<Requester[]> {
  const found = (await store.requestersOfRuns(tx, [id])).get(id) ?? [];
  const inherited = found.filter(({ part }) => !OF_CONFIGURATION.includes(part));
  const user = { part: 'start', type: 'users', id: createdBy.id, members: null } as const;
  return [...inherited, ...(createdBy.type === 'users' ? [user] : [])].map((one) => ({ ...one, part: 'trigger' }));
}

/** Deletes the requesters of a run that is over. */
export function forgetRequesters(tx: Transaction, runId: string) {
  return store.removeRequesters(tx, runId);
}

/** Users may change their names, so the user who has the name of the pusher now is stored too. */
async function pushedBy(db: Queries, pusher: string): Promise<Requester[]> {
  const name = pusher.toLowerCase();
  const users = await userIdsByNames(db, [...new Set([pusher, name])]);
  return [
    { part: 'commit', type: 'names', id: name, members: null },
    ...users.map((id) => ({ part: 'commit', type: 'users', id, members: null }) as const),
  ];
}

async function membersOf(db: Queries, { type, id }: Identifier): Promise<readonly string[] | null> {
  if (type !== 'teams') return null;
  const ids = await teamMemberIds(db, id, MAX_MEMBERS + 1);
  return ids.length > MAX_MEMBERS ? null : ids;
}
