import type { Connection } from '../connection/connection.ts';
import { Refused } from '../model/errors.ts';
import { type Item, keyOf, type Note } from '../model/item.ts';
import { applyPlan, type Writer } from '../plan/apply.ts';
import { type Change, type PlanRules, planOf, wordsOf } from '../plan/plan.ts';
import { type Report, reported } from '../plan/report.ts';
import { type AccessIds, accessKind } from './kinds.ts';
import { readAccess } from './reader.ts';

/** Configuration of an access API to move in. */
export interface AccessSource {
  /** For people. */
  readonly name: string;
  readonly items: readonly Item[];
  readonly notes: readonly Note[];
}

/** Tokens and leases are never taken. */
const ALWAYS: readonly Note[] = [{ about: 'tokens and leases', why: 'clients log in again' }];
const SYSTEM_MOUNTS: ReadonlySet<unknown> = new Set(['cubbyhole', 'identity', 'system', 'ns_cubbyhole', 'ns_identity']);

/** Reads the access API of Vault, OpenBao or another Lockkeeper. */
export async function accessSource(connection: Connection): Promise<AccessSource> {
  const { items, notes } = await readAccess(connection);
  return { name: connection.host, items, notes: [...notes, ...(await secretsEngines(connection)), ...ALWAYS] };
}

async function secretsEngines(connection: Connection): Promise<readonly Note[]> {
  const body = await connection.find('/v1/sys/mounts').catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  const { data = {} } = (body ?? {}) as { data?: Readonly<Record<string, { type?: unknown } | null>> };
  return Object.entries(data ?? {})
    .filter(([path, mount]) => path.endsWith('/') && !SYSTEM_MOUNTS.has(mount?.type))
    .map(([path, mount]) => ({
      about: `secrets engine ${path} (${mount?.type})`,
      why: 'Lockkeeper stores no secrets',
    }));
}

/** Returns the rules by which configuration of the access API is compared; undefined for unknown kinds. */
export function accessRules(name: string): PlanRules | undefined {
  const kind = accessKind(name);
  if (kind === undefined) return undefined;
  const cannotUpdate = name.endsWith('-aliases');
  const { words, owner, links = {} } = kind;
  return { words, links, ...(owner !== undefined && { owner }), ...(cannotUpdate && { cannotUpdate }) };
}

/** Moves the configuration of an access API, or plans to. Repeating it continues an interrupted migration. */
export async function migrateAccess(
  source: AccessSource,
  connection: Connection,
  options: { readonly isApplied: boolean; onProgress(line: string): void },
): Promise<Report> {
  const target = await readAccess(connection);
  const plan = planOf(source.items, target.items, accessRules);
  const nameOf = ({ item }: Change) => wordsOf(item, accessRules(item.kind));
  const notes = [...source.notes, ...plan.notes];
  const refused: Note[] = [];
  let { changes } = plan;
  if (options.isApplied) {
    const writer = new AccessWriter(connection, target.ids);
    const applied = await applyPlan(plan, writer, nameOf, (change) =>
      options.onProgress(`${change.action}: ${nameOf(change)}`),
    );
    refused.push(...applied.refused);
    changes = [...applied.done, ...changes.filter(({ action }) => action === 'same')];
  }
  return {
    ...{ isApplied: options.isApplied, source: source.name, target: connection.host },
    ...{ changes: changes.map(reported), states: [], notTaken: notes, refused, toFillIn: [] },
  };
}

class AccessWriter implements Writer, AccessIds {
  readonly #connection: Connection;
  readonly #ids: Map<string, string>;

  constructor(connection: Connection, ids: ReadonlyMap<string, string>) {
    this.#connection = connection;
    this.#ids = new Map(ids);
  }

  idOf(kind: string, name: string): string | undefined {
    return this.#ids.get(keyOf({ kind, owner: '', name }));
  }

  async write({ item, action }: Change): Promise<string | undefined> {
    const kind = accessKind(item.kind);
    if (kind === undefined) return undefined;
    const isNew = action === 'create';
    const { path, body } = kind.request?.(item, this, isNew) ?? { path: kind.path(item), body: item.attributes };
    const answer = (await this.#connection.send('POST', `/v1/${path}`, body)) as
      | { data?: { id?: unknown } }
      | undefined;
    const id = item.kind === 'auth-mounts' ? await this.#accessor(item.name) : answer?.data?.id;
    if (typeof id === 'string') this.#ids.set(keyOf(item), id);
    return undefined;
  }

  async #accessor(mount: string): Promise<unknown> {
    const body = (await this.#connection.find('/v1/sys/auth')) as { data?: Record<string, { accessor?: unknown }> };
    return body?.data?.[mount]?.accessor;
  }
}
