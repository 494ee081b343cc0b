import type { Transaction } from '../../../storage/index.ts';
import type { Identifier, Relationship, Resource } from '../../jsonapi/document.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { RestrictsMoves } from '../model/placement.ts';
import type { Settings } from '../model/settings.ts';
import type { WorkspaceView } from '../model/workspace.ts';
import type { References, Scoped } from '../settings/references.ts';
import type { Include } from './include-words.ts';
import type { RetainedStore } from './retained.ts';

/** A domain's part of one workspace's document; replaces the default members. */
export interface Part {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
}

/** Source of document parts. */
export interface DocumentSource {
  /** Returns parts by workspace id, in one query for a whole page. */
  of(workspaces: readonly WorkspaceView[]): Promise<ReadonlyMap<string, Part>>;
  /** Prefetches the part of one workspace in one query, before the workspace and the actor are known. */
  prefetch(workspaceId: string): Promise<PrefetchedPart>;
}

/** Returns the part once the workspace is known. Reads it again if the workspace has changed since the prefetch. */
export type PrefetchedPart = (workspace: WorkspaceView) => Promise<Part | undefined>;

/** Result of one word of `include`: resources, and the relationship by which the workspaces refer to them. */
export interface Included {
  readonly resources: readonly Resource[];
  readonly parts?: ReadonlyMap<string, Part>;
}

/**
 * Returns the resources of a whole page that the actor may see, in one query. Duplicates are sent once. `url` is the
 * URL of the request; links in the resources use its origin.
 */
export type IncludeSource = (actor: Actor, workspaces: readonly WorkspaceView[], url: URL) => Promise<Included>;

/** Checks of the state module before a workspace is unlocked or deleted. Each runs in the caller's transaction. */
export interface StateGate {
  /**
   * Returns `pending` while the newest state version is created but not yet uploaded. The workspace then stays locked.
   */
  beforeUnlock(tx: Transaction, workspaceId: string): Promise<'pending' | undefined>;
  /** Makes the newest finalized intermediate state version the current one, if there is any. */
  promote(tx: Transaction, workspaceId: string): Promise<void>;
  /**
   * Returns why the server cannot know what the current state manages, in words that follow "the state". Returns
   * undefined if it can.
   */
  whyUnread(tx: Transaction, workspaceId: string): Promise<string | undefined>;
}

/** Data of another domain that must be handled when a workspace is deleted, restored or purged. */
export interface Dependent {
  /** Key under which `kept` is stored. It must never change. */
  readonly name: string;
  /**
   * Runs in the transaction that deletes: stops work in progress and removes the rows by which others find the
   * workspace. Returns the data that `attach` needs.
   */
  detach?(tx: Transaction, workspace: Detached): Promise<unknown>;
  /** Runs in the transaction that restores. `kept` is the result of `detach`, after a round trip through JSON. */
  attach?(tx: Transaction, workspace: Detached, kept: unknown): Promise<void>;
  /**
   * Deletes some of the workspace's data in a bounded step outside of any transaction, before the workspace's row is
   * deleted. The purge calls it until it returns true: nothing is left.
   */
  purge?(workspaceId: string): Promise<boolean>;
}

/** A workspace that is being deleted or restored. */
export interface Detached {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly projectId: string;
}

/** Change of the settings of a workspace. A new workspace had the default settings before. */
export interface SettingsChange {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly before: Settings;
  readonly after: Settings;
  /** Whether the workspace is new in its project. */
  readonly isNewInProject: boolean;
  /** Actor of the change. */
  readonly by: Identifier;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type SettingsListener = (tx: Transaction, change: SettingsChange) => Promise<void>;

const NOTHING: Scoped = { usable: async () => false };

/** The part of another domain in workspaces. */
export interface WorkspaceExtension {
  /** Agent pools and connections that settings may name. */
  readonly references?: Partial<References>;
  /** Data that retention policies delete. */
  readonly retained?: readonly RetainedStore[];
  readonly documents?: readonly DocumentSource[];
  /** Sources of included resources. Several domains may have one for the same word. */
  readonly includes?: Partial<Readonly<Record<Include, IncludeSource>>>;
  /** Data to handle when a workspace is deleted, in this order. */
  readonly dependents?: readonly Dependent[];
  /**
   * Condition on `workspace` in SQL. If the conditions of all domains hold, an unlock needs no work from states or
   * listeners and takes one statement.
   */
  readonly quietlyUnlocked?: string;
  /** Called when a user or team has unlocked a workspace, in the same transaction. */
  readonly unlocked?: UnlockedListener;
  /** Called in the transaction that creates a workspace, changes its settings or moves it to another project. */
  readonly settingsChanged?: SettingsListener;
  /** Decides whether moves out of a project are restricted. */
  readonly restrictsMoves?: RestrictsMoves;
  /** Checks of states. */
  readonly states?: StateGate;
}

type UnlockedListener = (tx: Transaction, workspaceId: string) => Promise<void>;

/**
 * Extension points by which other domains take part in a workspace. Each domain calls `extend` once, during wiring and
 * in the order of the modules.
 */
export class WorkspaceHooks {
  readonly references: References = { agentPools: NOTHING, connections: NOTHING, installations: NOTHING };
  readonly retained: RetainedStore[] = [];
  readonly documents: DocumentSource[] = [];
  readonly includes = new Map<Include, IncludeSource>();
  readonly dependents: Dependent[] = [];
  readonly quietlyUnlocked: string[] = [];
  readonly unlocked: UnlockedListener[] = [];
  readonly settingsChanged: SettingsListener[] = [];
  restrictsMoves: RestrictsMoves = async () => undefined;
  /** Undefined in a server without states. */
  states: StateGate | undefined;

  extend(extension: WorkspaceExtension): void {
    const { references, retained = [], documents = [], includes = {}, dependents = [] } = extension;
    Object.assign(this.references, references);
    this.retained.push(...retained);
    this.documents.push(...documents);
    this.dependents.push(...dependents);
    for (const [word, source] of Object.entries(includes) as [Include, IncludeSource][]) {
      this.includes.set(word, combined(this.includes.get(word), source));
    }
    if (extension.quietlyUnlocked !== undefined) this.quietlyUnlocked.push(extension.quietlyUnlocked);
    if (extension.unlocked !== undefined) this.unlocked.push(extension.unlocked);
    if (extension.settingsChanged !== undefined) this.settingsChanged.push(extension.settingsChanged);
    this.restrictsMoves = extension.restrictsMoves ?? this.restrictsMoves;
    this.states = extension.states ?? this.states;
  }
}

/** Combines the sources of two domains for the same word. */
function combined(first: IncludeSource | undefined, second: IncludeSource): IncludeSource {
  if (first === undefined) return second;
  return async (...asked) => {
    const both = await Promise.all([first(...asked), second(...asked)]);
    return { resources: both.flatMap(({ resources }) => resources) };
  };
}
