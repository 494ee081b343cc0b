import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Database, ReferenceViolation } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  checkName,
  grantIn,
  grantsOf,
  keyValues,
  type Organizations,
  principalIn,
  requirePermission,
  type Teams,
  takingName,
} from '../../tenancy/index.ts';
import type { EngineReleases } from '../engine/releases.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import { FirstPages, type PrefetchedList } from '../list/first-page.ts';
import { WorkspaceIndexCache } from '../list/index-cache.ts';
import { type ListFilter, type Listing, listWorkspaces } from '../list/store.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { WorkspacePlacement } from '../model/placement.ts';
import { DEFAULT_SETTINGS } from '../model/settings.ts';
import * as store from '../model/store.ts';
import type { Workspace, WorkspaceRef, WorkspaceView } from '../model/workspace.ts';
import { checkReferences } from '../settings/references.ts';
import { nextSettings } from '../settings/rules.ts';
import type { CreateInput, UpdateInput } from '../settings/schema.ts';
import { checkTagNames, tagTargets } from '../tag/rules.ts';
import { addFirstTags, putBindings, replaceBindings } from '../tag/tagging.ts';
import { updateCopies } from './copied-fields.ts';

const TAGS = '/data/relationships/tags/data';
const BINDINGS = '/data/relationships/tag-bindings/data';

const GONE = 'The project, or another resource that the workspace refers to, was deleted in the meantime';

/** Dependencies of the service. */
export interface WorkspaceServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly placement: WorkspacePlacement;
  readonly hooks: Pick<WorkspaceHooks, 'references' | 'settingsChanged'>;
  readonly releases: EngineReleases;
  /** Whether all workspaces of the organization may read the state of a new workspace that does not set this. */
  readonly globalRemoteState: boolean;
}

/** Sets state sharing of a new workspace if neither the request nor the project sets it. */
function withSharing(attributes: CreateInput['attributes'], byDefault: boolean): CreateInput['attributes'] {
  const isSaid = (attributes['global-remote-state'] ?? attributes['project-remote-state'] ?? null) !== null;
  return isSaid ? attributes : { ...attributes, 'global-remote-state': byDefault };
}

/** Creates, reads, lists and updates workspaces (spec §4.1 to §4.4). */
export class WorkspaceService {
  readonly #options: WorkspaceServiceOptions;
  readonly #indexes = new WorkspaceIndexCache();
  readonly #firstPages: FirstPages;

  constructor(options: WorkspaceServiceOptions) {
    this.#options = options;
    this.#firstPages = new FirstPages(options.database, options.organizations);
  }

  /**
   * Finds a workspace.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  show(actor: Actor, ref: WorkspaceRef, prefetch?: Promise<Workspace | undefined>): Promise<WorkspaceView> {
    return this.#options.finder.find(actor, ref, 'can-read-settings', prefetch);
  }

  /** Prefetches one workspace for `show`. Returns undefined if it is cached. */
  prefetch(ref: WorkspaceRef): Promise<Workspace | undefined> | undefined {
    return this.#options.finder.prefetch(ref);
  }

  /** Prefetches the rows that `list` will need, see `FirstPages.begin`. Returns undefined if they are cached. */
  prefetchList(last: Actor, organizationName: string, page: Page | undefined): PrefetchedList | undefined {
    return this.#firstPages.begin(last, organizationName, page);
  }

  /**
   * Lists the workspaces that the actor can see. `projectId` restricts the list to one project.
   * @param options `prefetch` holds prefetched rows of this request; `counts` adds the counts by kind
   */
  async list(
    actor: Actor,
    organizationName: string,
    projectId: string | undefined,
    filter: ListFilter,
    page: Page,
    {
      prefetch,
      counts: wantsCounts = false,
    }: { readonly prefetch?: PrefetchedList | undefined; readonly counts?: boolean } = {},
  ): Promise<Listing<WorkspaceView>> {
    const { database, finder, organizations, placement } = this.#options;
    const organization = await organizations.find(actor, organizationName, 'can-traverse', prefetch?.organization);
    const { id: organizationId, grant } = organization;
    const first = prefetch && (await this.#firstPages.page(organization, prefetch));
    if (first) return { ...first, counts: undefined, items: await finder.viewsFor(actor, organizationId, first.items) };
    const place = projectId === undefined ? organization : await placement.readable(actor, organizationId, projectId);
    if (place === undefined) return { items: [], total: 0, counts: undefined };
    const scope = { organizationId, projectId, grant, count: place.workspaceCount };
    const listing = await listWorkspaces(
      ...([database, scope, filter, page, this.#indexes, finder.reader, wantsCounts] as const),
    );
    return { ...listing, items: await finder.viewsFor(actor, organizationId, listing.items) };
  }

  /**
   * Lists the workspaces that a team can see. Only owners and members of the team may call this.
   * @throws 404 for other actors
   */
  async ofTeam(actor: Actor, teamId: string, filter: ListFilter, page: Page) {
    const team = await this.#options.teams.find(actor, teamId, 'can-read');
    const { owner, teamIds } = grantIn(actor, team.organizationId);
    if (!owner && !teamIds.includes(teamId)) throw notFound();
    const asTeam: Actor = { kind: 'team', teamId, credential: '', grants: grantsOf([{ ...team, teamId }]) };
    return { asTeam, listing: await this.list(asTeam, team.organizationName, undefined, filter, page) };
  }

  /**
   * Creates a workspace.
   * @throws 404 without the permission to create workspaces there, 422 for input that breaks a rule
   */
  async create(actor: Actor, organizationName: string, input: CreateInput): Promise<WorkspaceView> {
    const { clock, database, finder, globalRemoteState, hooks, placement, releases } = this.#options;
    const { relationships } = input;
    const attributes = withSharing(input.attributes, globalRemoteState);
    const named = relationships?.project?.data?.id || undefined;
    const { organizationId, projectId, defaultEngine } = await placement.requireNew(actor, organizationName, named);

    const now = clock();
    checkName(attributes.name);
    const settings = nextSettings(DEFAULT_SETTINGS, attributes, { releases, inherited: defaultEngine });
    const tags = tagTargets(relationships?.tags?.data ?? [], TAGS);
    checkTagNames(tags, TAGS);
    const bindings = keyValues(relationships?.['tag-bindings']?.data ?? [], BINDINGS);

    const id = prefixedId('ws', now);
    const workspace = { id, organizationId, projectId, name: attributes.name, settings };
    const { last } = await takingName(() =>
      database
        .transaction(async (tx) => {
          const place = { organizationId, projectId, workspaceId: undefined };
          await checkReferences(tx, hooks.references, place, { current: DEFAULT_SETTINGS, next: settings });
          // Pipelined: the statements do not await the row, and the commit does not await the statements.
          await Promise.all([store.insertWorkspace(tx, workspace, now), addFirstTags(tx, workspace, tags, now, TAGS)]);
          await putBindings(tx, workspace, bindings, now);
          const by = principalIn(actor, organizationId);
          const places = { workspaceId: id, organizationId, isNewInProject: true, by };
          const change = { ...places, before: DEFAULT_SETTINGS, after: settings, now };
          for (const listener of hooks.settingsChanged) await listener(tx, change);
          const last = Promise.all([store.findWorkspace(tx, { id }), placement.entered(tx, workspace)]);
          // The transaction fails with this promise, so its own rejection needs no handler.
          last.catch(() => {});
          return { last };
        })
        .catch(refuseGone),
    );
    const [created] = await last;
    if (created === undefined) throw notFound();
    return finder.authorize(actor, created, 'can-read-settings');
  }

  /**
   * Changes the given attributes, all or none.
   * @throws 404 without permission, 422 for input that breaks a rule
   */
  async update(actor: Actor, ref: WorkspaceRef, input: UpdateInput): Promise<WorkspaceView> {
    const { clock, database, finder, hooks, placement, releases } = this.#options;
    const { attributes = {}, relationships } = input;
    const { id, organizationId, projectId, permissions, inherited } = await finder.find(
      actor,
      ref,
      'can-read-settings',
    );
    const destination = relationships?.project?.data?.id || undefined;
    const moves = destination !== undefined && destination !== projectId;
    // An actor who may move workspaces may lack the right to change them otherwise.
    const changes = !moves || Object.keys(attributes).length > 0 || relationships?.['tag-bindings'] !== undefined;
    if (changes) requirePermission(permissions, 'can-update');
    if (moves) await placement.requireMove(actor, organizationId, projectId, destination);
    if (attributes.name !== undefined) checkName(attributes.name);
    const entries = relationships?.['tag-bindings']?.data;
    const bindings = entries && keyValues(entries, BINDINGS);

    await takingName(() =>
      database.transaction(async (tx) => {
        const now = clock();
        const current = await store.claimWorkspace(tx, id);
        if (current === undefined) throw notFound();
        const settings = nextSettings(current.settings, attributes, { releases, inherited: inherited.engine });
        const name = attributes.name ?? current.name;
        const place = moves ? destination : current.projectId;
        const isNewInProject = place !== current.projectId;
        const at = { organizationId, projectId: place, workspaceId: id };
        await checkReferences(tx, hooks.references, at, { current: current.settings, next: settings });
        await store.updateWorkspace(tx, { id, projectId: place, name, settings }, now);
        await updateCopies(tx, id, current, { name, projectId: place });
        if (isNewInProject) await placement.moved(tx, current.projectId, place);
        if (bindings) await replaceBindings(tx, { id, name, organizationId }, bindings, now);
        const change = {
          workspaceId: id,
          organizationId,
          before: current.settings,
          after: settings,
          isNewInProject,
          by: principalIn(actor, organizationId),
          now,
        };
        for (const listener of hooks.settingsChanged) await listener(tx, change);
      }),
    );
    return this.show(actor, { id });
  }
}

function refuseGone(error: unknown): never {
  throw error instanceof ReferenceViolation ? unprocessable([{ detail: GONE }]) : error;
}
