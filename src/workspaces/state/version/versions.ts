import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, isPrincipal, principalIn, type WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceRef, WorkspaceView } from '../../workspace/index.ts';
import type { StateHooks } from '../hooks/hooks.ts';
import type { Output } from '../reader/outputs.ts';
import { type GivenBytes, givenOutputs, jsonOf, pieceByPiece, sealOutputs, stateOf } from './given.ts';
import type { StateInput } from './schema.ts';
import type { Creator, StateVersion } from './state-version.ts';
import * as store from './store.ts';
import type { StateWriter } from './writer.ts';

/** Dependencies of the service. */
export interface StateVersionsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly writer: StateWriter;
  readonly hooks: StateHooks;
}

/** Returns the creator to store with a version. */
export function creatorOf(actor: Actor, organizationId: string): Creator {
  const { type, id } = principalIn(actor, organizationId);
  if (actor.kind !== 'machine') return { type, id };
  const { mount, role, subject, serialNumber } = actor.machine;
  return { type, id, certificate: { mount, role, subject, serialNumber } };
}

/** Creates, reads and lists state versions. */
export class StateVersions {
  readonly #options: StateVersionsOptions;

  constructor(options: StateVersionsOptions) {
    this.#options = options;
  }

  /**
   * Finds a version.
   * @throws 404 when it does not exist, or without permission
   */
  async find(actor: Actor, id: string, permission: WorkspacePermission): Promise<StateVersion> {
    const version = await store.findVersion(this.#options.database, id);
    if (version === undefined) throw notFound();
    await this.#options.finder.find(actor, { id: version.workspaceId }, permission);
    return version;
  }

  /**
   * Returns a version that the actor has created, for its upload. @throws 404 for another actor, or when the
   * permission was removed
   */
  async findAnnounced(actor: Actor, id: string): Promise<StateVersion> {
    const version = await this.find(actor, id, 'can-create-state-versions');
    if (!isPrincipal(actor, version.creator.id)) throw notFound();
    return version;
  }

  /**
   * Finds the current version.
   * @throws 404 when the workspace has no state, or without permission
   */
  async current(actor: Actor, workspaceId: string, permission: WorkspacePermission): Promise<StateVersion> {
    const version = await this.currentOf(await this.#options.finder.find(actor, { id: workspaceId }, permission));
    if (version === undefined) throw notFound();
    return version;
  }

  /** Returns the current version; undefined when the workspace has no state. */
  currentOf({ id }: Pick<WorkspaceView, 'id'>): Promise<StateVersion | undefined> {
    return store.findCurrentVersion(this.#options.database, id);
  }

  /** Returns the versions of a workspace, newest first. */
  async list(actor: Actor, ref: WorkspaceRef, status: string | undefined, page: Page): Promise<Slice<StateVersion>> {
    const workspace = await this.#options.finder.find(actor, ref, 'can-read-state-versions');
    return store.listVersions(this.#options.database, workspace.id, status, page);
  }

  /** Returns the versions with these ids whose workspaces the actor may read. */
  withIds(ids: readonly string[]): Promise<StateVersion[]> {
    return store.findVersions(this.#options.database, ids);
  }

  /**
   * Creates a version with its state, or a pending one.
   * @throws 404 when the actor may not write states or see the run, 409 by the rules of facts §4.4, 422 for a
   * different MD5 or the run of another workspace
   */
  async create(actor: Actor, workspaceId: string, input: StateInput): Promise<StateVersion> {
    const { clock, database, finder, keyring, writer } = this.#options;
    const workspace = await finder.find(actor, { id: workspaceId }, 'can-create-state-versions');
    const creator = creatorOf(actor, workspace.organizationId);
    const runId = input.relationships?.run?.data?.id ?? null;
    if (runId !== null) await this.#checkRun(actor, runId, workspaceId);
    await writer.checkHolder(database, workspace.lock?.holder ?? null, creator, runId);
    const state = await stateOf(input);
    const given = await givenOutputs(input);
    const createdAt = clock();
    const id = prefixedId('sv', createdAt);
    const { attributes } = input;
    const version: store.NewVersion = {
      ...{ id, workspaceId, creator, createdAt, rollbackOf: null },
      intermediate: attributes.intermediate ?? false,
      serial: attributes.serial,
      lineage: attributes.lineage || null,
      md5: attributes.md5.toLowerCase(),
      forced: attributes.force ?? false,
      runId,
      givenOutputs: state || given.length === 0 ? null : await sealOutputs(keyring, id, given),
    };
    if (state) {
      await this.#createWhole(version, state, await jsonOf(input), given);
    } else {
      await database.transaction(async (tx) => writer.add(tx, version, await writer.claim(tx, workspaceId)));
    }
    return this.find(actor, id, 'can-create-state-versions');
  }

  async #checkRun(actor: Actor, runId: string, workspaceId: string): Promise<void> {
    const run = await this.#options.hooks.runs.find(actor, runId);
    if (run.workspaceId === workspaceId) return;
    const detail = 'belongs to another workspace: the run of a state must be in the same workspace';
    throw unprocessable([{ detail, pointer: '/data/relationships/run' }]);
  }

  async #createWhole(
    version: store.NewVersion,
    state: GivenBytes,
    json: GivenBytes | undefined,
    given: readonly Output[],
  ): Promise<void> {
    const { writer } = this.#options;
    const { workspaceId } = version;
    const described = { ...version, givenOutputs: async () => given };
    await writer.write(described, pieceByPiece(state), version.md5, async (tx, draft) => {
      await writer.add(tx, version, await writer.claim(tx, workspaceId));
      await writer.finalize(tx, version, draft);
    });
    if (json) await this.#addJson(version, json);
  }

  async #addJson({ id, workspaceId }: store.NewVersion, json: GivenBytes): Promise<void> {
    const { writer } = this.#options;
    await writer.writeJson(workspaceId, pieceByPiece(json), async (tx, draft) => {
      await writer.claim(tx, workspaceId);
      await writer.addJson(tx, { id }, draft);
    });
  }
}
