import type { Transaction } from '../../../storage/index.ts';
import type { Relationship, Resource } from '../../jsonapi/document.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceView } from '../model/workspace.ts';
import type { References, Scoped } from '../settings/references.ts';
import type { Include } from './include-words.ts';
import type { RetainedStore } from './retained.ts';

/** What a domain adds to the document of one workspace, in place of what stands there without it. */
export interface Part {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
}

/** Where parts come from. */
export interface DocumentSource {
  /** By the id of the workspace; those of a whole page in one query. */
  of(workspaces: readonly WorkspaceView[]): Promise<ReadonlyMap<string, Part>>;
  /** Reads what it takes for one, in one query, while it is not known yet what the workspace is, nor who asks. */
  ahead(workspaceId: string): Promise<PartAhead>;
}

/** The part, once the workspace is known; it is asked again where that has gone on meanwhile. */
export type PartAhead = (workspace: WorkspaceView) => Promise<Part | undefined>;

/** What one word of `include` brings: resources, and where the documents of the workspaces point at them. */
export interface Included {
  readonly resources: readonly Resource[];
  readonly parts?: ReadonlyMap<string, Part>;
}

/**
 * Resources that the actor may see, of a whole page in one query. One that comes twice is sent once. `url` is what was
 * asked for: addresses in the resources begin where it does.
 */
export type IncludeSource = (actor: Actor, workspaces: readonly WorkspaceView[], url: URL) => Promise<Included>;

/** What states have to say before a lock goes, and before a workspace does. Each is part of the caller's unit of work. */
export interface StateGate {
  /** `pending` while the newest state version is announced and not yet uploaded: the lock stays then. */
  beforeUnlock(tx: Transaction, workspaceId: string): Promise<'pending' | undefined>;
  /** Makes the newest finalized intermediate state version the current one, if there is any. */
  promote(tx: Transaction, workspaceId: string): Promise<void>;
  /** Returns why it can never be found out what the current state version manages, in words that follow "the state"; undefined where it can. */
  whyUnread(tx: Transaction, workspaceId: string): Promise<string | undefined>;
}

/** What belongs to a workspace and has to be taken care of when it is deleted, brought back, or removed for good. */
export interface Dependent {
  /** Under this name `kept` is stored. Stays as it is for ever. */
  readonly name: string;
  /** In the unit of work that deletes: ends what goes on, and takes away what others would find. Returns what `attach` needs. */
  detach?(tx: Transaction, workspace: Detached): Promise<unknown>;
  /** In the unit of work that brings it back. `kept` is what `detach` returned, through JSON. */
  attach?(tx: Transaction, workspace: Detached, kept: unknown): Promise<void>;
  /**
   * Removes some of what the workspace keeps, in a bounded step outside of any unit of work, before its row and all rows
   * that refer to it go. Called again until it returns true: there is no more.
   */
  purge?(workspaceId: string): Promise<boolean>;
}

/** A workspace while it goes or comes. */
export interface Detached {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const NOTHING: Scoped = { usable: async () => false };

/** Where other domains take part in what a workspace is. Filled while the domains are put together, before any request. */
export class WorkspaceHooks {
  /** Agent pools and connections that settings may name. */
  readonly references: References = { agentPools: NOTHING, connections: NOTHING };
  /** What retention policies let go of. */
  readonly retained: RetainedStore[] = [];
  readonly documents: DocumentSource[] = [];
  readonly includes = new Map<Include, IncludeSource>();
  readonly dependents: Dependent[] = [];
  /**
   * Conditions of `workspace` in SQL: where all of them hold, neither states nor those who are told have anything to do when
   * it is unlocked.
   */
  readonly quietlyUnlocked: string[] = [];
  /** Told when people have unlocked a workspace, in the unit of work that did. */
  readonly unlocked: ((tx: Transaction, workspaceId: string) => Promise<void>)[] = [];
  /** Undefined where there are no states. */
  states: StateGate | undefined;
}
