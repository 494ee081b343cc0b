import { isSameJson } from '../../../lib/exact-json/exact-json.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { Output } from '../reader/outputs.ts';
import { whyUnread } from '../reader/readable.ts';
import { addressOf } from '../reader/resource-address.ts';
import { type Difference, difference, type ResourceRecord } from '../reader/resources.ts';
import type { StateContents } from './contents.ts';
import type { StateVersion } from './state-version.ts';
import * as store from './store.ts';
import type { StateVersions } from './versions.ts';

/** Changes from one version to another. */
export interface StateDifference {
  readonly from: StateVersion | undefined;
  readonly to: StateVersion;
  /**
   * Reason why the resources cannot be compared, in words that follow "the state". One of the two states is not
   * parsed.
   */
  readonly unread: string | undefined;
  readonly resources: Difference<ResourceRecord>;
  readonly outputs: Difference<Output>;
}

/** Compares versions by the data that was parsed at upload. */
export class StateDifferences {
  readonly #database: Database;
  readonly #versions: StateVersions;
  readonly #contents: StateContents;

  constructor(database: Database, versions: StateVersions, contents: StateContents) {
    this.#database = database;
    this.#versions = versions;
    this.#contents = contents;
  }

  /**
   * Compares with the version that the client names, or with the preceding one.
   * @throws 404 when one does not exist, has no data, or belongs to another workspace
   */
  async compare(actor: Actor, id: string, fromId: string | undefined): Promise<StateDifference> {
    const to = await this.#versions.find(actor, id, 'can-read-state-versions');
    if (to.status !== 'finalized') throw notFound();
    const from = await (fromId === undefined
      ? store.findPreviousVersion(this.#database, to)
      : store.findVersion(this.#database, fromId));
    const isFit = from === undefined ? fromId === undefined : from.workspaceId === to.workspaceId;
    if (!isFit || (from && from.status !== 'finalized')) throw notFound();
    const [resourcesBefore, resourcesAfter] = await this.#both(from, to, (one) => this.#contents.resources(one));
    const [outputsBefore, outputsAfter] = await this.#both(from, to, (one) => this.#contents.outputs(one));
    const isSame = (one: ResourceRecord, other: ResourceRecord) => one.digest === other.digest;
    return {
      from,
      to,
      unread: (from && whyUnread(from)) ?? whyUnread(to),
      resources: difference(resourcesBefore, resourcesAfter, addressOf, isSame),
      outputs: difference(outputsBefore, outputsAfter, ({ name }) => name, isSameJson),
    };
  }

  async #both<T>(
    from: StateVersion | undefined,
    to: StateVersion,
    read: (version: StateVersion) => Promise<readonly T[]>,
  ): Promise<[readonly T[], readonly T[]]> {
    return [from ? await read(from) : [], await read(to)];
  }
}
