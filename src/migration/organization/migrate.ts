import type { Connection } from '../connection/connection.ts';
import { oneResource } from '../connection/pages.ts';
import { sideBySide } from '../connection/side-by-side.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import { type Item, keyOf, type Note } from '../model/item.ts';
import { applyPlan } from '../plan/apply.ts';
import { type Change, planOf, type SecretValue, wordsOf } from '../plan/plan.ts';
import { type Report, type ReportedState, reported } from '../plan/report.ts';
import type { StateSource } from '../states/state-source.ts';
import { forgetfulJournal, type ImportJournal } from './import-journal.ts';
import { type ReadOrganization, readOrganization } from './reader.ts';
import { organizationRules } from './rules.ts';
import { type StatePlan, StateTarget } from './state-target.ts';
import { OrganizationWriter } from './writer.ts';

/** An organization to move in, wherever it comes from. */
export interface OrganizationSource {
  /** For people: host and organization, or a folder. */
  readonly name: string;
  readonly items: readonly Item[];
  readonly notes: readonly Note[];
  readonly states: StateSource;
  /** Locks a workspace at the source before its state is read. @throws Refused if someone else holds the lock */
  lock?(workspace: string): Promise<void>;
  close?(): Promise<void>;
}

export interface OrganizationTarget {
  readonly connection: Connection;
  readonly organization: string;
}

export interface MigrationOptions {
  /** Whether to make the changes; otherwise they are only planned. */
  readonly isApplied: boolean;
  readonly secretValue?: SecretValue;
  /**
   * Opens the journal of the import that these texts identify. Without one, a repeated import does not recognize the locks of
   * an interrupted one.
   */
  readonly openJournal?: ((key: readonly string[]) => ImportJournal | undefined) | undefined;
  /** Called before and after each step that takes time. */
  onProgress(line: string): void;
}

/** Moves an organization, or plans to. Repeating it continues an interrupted migration. */
export async function migrateOrganization(
  source: OrganizationSource,
  target: OrganizationTarget,
  options: MigrationOptions,
): Promise<Report> {
  const { connection, organization } = target;
  const isNew = !(await hasOrganization(target));
  if (isNew && options.isApplied) await createOrganization(target, source.items);
  const current = isNew && !options.isApplied ? newOrganization() : await readTarget(target, source.items);
  const plan = planOf(source.items, current.items, organizationRules, options.secretValue);
  const writer = new OrganizationWriter(connection, organization, current.ids);
  const notes = [...source.notes, ...plan.notes];
  const refused: Note[] = [];
  let { changes } = plan;
  if (options.isApplied) {
    const applied = await applyPlan(plan, writer, nameOf, (change) =>
      options.onProgress(`${change.action}: ${nameOf(change)}`),
    );
    refused.push(...applied.refused);
    changes = [...applied.done, ...changes.filter(({ action }) => action === 'same')];
  }
  const workspaces = source.items.filter(({ kind }) => kind === 'workspaces').map(({ name }) => name);
  const states = await withJournal([source.name, connection.host, organization], options, (journal) =>
    moveStates(source, workspaces, new StateTarget(connection, journal), writer, options),
  );
  return {
    isApplied: options.isApplied,
    source: source.name,
    target: `${connection.host}/${organization}`,
    changes: [...(isNew ? [CREATION(organization)] : []), ...changes.map(reported)],
    states: states.flatMap(({ state }) => state ?? []),
    notTaken: notes,
    refused: [...refused, ...states.flatMap((one) => one.refused ?? [])],
    toFillIn: plan.secrets,
  };
}

const CREATION = (name: string) => ({ action: 'create', kind: 'organization', owner: '', name, differs: [] }) as const;

const nameOf = ({ item }: Change): string => wordsOf(item, organizationRules(item.kind));

async function hasOrganization({ connection, organization }: OrganizationTarget): Promise<boolean> {
  return (await oneResource(connection, `/api/v2/organizations/${encodeURIComponent(organization)}`)) !== undefined;
}

async function createOrganization(
  { connection, organization }: OrganizationTarget,
  items: readonly Item[],
): Promise<void> {
  const email = items.find(({ kind }) => kind === 'organizations')?.attributes.email;
  if (typeof email !== 'string') {
    throw new MigrationError('not-found', `there is no organization ${organization}; create it first`);
  }
  const data = { type: 'organizations', attributes: { name: organization, email } };
  await connection.send('POST', '/api/v2/organizations', { data });
}

/** A new organization has a project, a team and settings. */
function newOrganization(): Pick<ReadOrganization, 'items' | 'ids'> {
  const item = (kind: string, name: string): Item => ({ kind, owner: '', name, attributes: {}, links: {} });
  return {
    items: [item('organizations', 'settings'), item('projects', 'Default Project'), item('teams', 'owners')],
    ids: new Map(),
  };
}

/** Reads only workspaces that the source has. */
async function readTarget(
  { connection, organization }: OrganizationTarget,
  items: readonly Item[],
): Promise<ReadOrganization> {
  const wanted = new Set(items.filter(({ kind }) => kind === 'workspaces').map(({ name }) => name));
  const read = await readOrganization(connection, { organization, hasWorkspace: (name) => wanted.has(name) });
  // Workspaces that were not read still exist, for links to them.
  const others = read.workspaces.filter(({ name }) => !wanted.has(name));
  const known = others.map(({ id, name }) => ({
    id,
    item: { kind: 'workspaces', owner: '', name, attributes: {}, links: {} },
  }));
  return {
    ...read,
    items: [...read.items, ...known.map(({ item }) => item)],
    ids: new Map([...read.ids, ...known.map(({ id, item }): [string, string] => [keyOf(item), id])]),
  };
}

/** A plan locks nothing, so it needs no journal. */
async function withJournal<T>(
  key: readonly string[],
  { isApplied, openJournal = forgetfulJournal }: MigrationOptions,
  work: (journal: ImportJournal) => Promise<T>,
): Promise<T> {
  const journal = (isApplied ? openJournal(key) : undefined) ?? forgetfulJournal();
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

interface MovedState {
  readonly state?: ReportedState;
  readonly refused?: Note;
}

/** Moves the states of up to six workspaces at the same time; those of one workspace in their order. */
async function moveStates(
  source: OrganizationSource,
  workspaces: readonly string[],
  target: StateTarget,
  writer: OrganizationWriter,
  { isApplied, onProgress }: MigrationOptions,
): Promise<readonly MovedState[]> {
  return sideBySide(workspaces, async (workspace): Promise<MovedState> => {
    const about = `state of workspace ${workspace}`;
    const id = writer.idOf('workspaces', workspace);
    if (isApplied && id === undefined) return {};
    try {
      if (isApplied) await source.lock?.(workspace);
      const plan = await target.plan(id, await source.states.statesOf(workspace));
      if (plan.action === 'upload' && isApplied && id !== undefined) {
        const { versions, wasLocked } = await target.upload(id, plan.states);
        onProgress(`copied: ${about}${wasLocked ? '' : '; someone else had released the lock of the import'}`);
        return { state: { workspace, action: 'upload', versions } };
      }
      if (plan.action === 'same' && isApplied && id !== undefined && (await target.releaseLock(id))) {
        onProgress(`unlocked: workspace ${workspace}, which an interrupted import had left locked`);
      }
      return movedState(workspace, about, plan);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { refused: { about, why: error.message } };
    }
  });
}

function movedState(workspace: string, about: string, plan: StatePlan): MovedState {
  if (plan.action === 'cannot') return { refused: { about, why: plan.why } };
  if (plan.action === 'none') return {};
  return { state: { workspace, action: plan.action, versions: plan.action === 'upload' ? plan.states.length : 0 } };
}
