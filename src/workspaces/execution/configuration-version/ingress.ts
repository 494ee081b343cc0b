import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { IngressAttributes } from '../../vcs/index.ts';
import type { Ingress } from './configuration-version.ts';
import type { ConfigurationVersions } from './configuration-versions.ts';
import * as store from './ingress-store.ts';
import { IngressResource } from './resource.ts';

const KIB = 1024;
/** @limit title of a pull request, and names of branches, tags and users, that the server stores, bytes -> cut */
const MAX_NAME = KIB;
/** @limit commit message and body of a pull request that the server stores, bytes -> cut */
const MAX_TEXT = 64 * KIB;
/** @limit URL of a provider that the server stores, bytes -> not stored */
const MAX_URL = 2 * KIB;

/** Texts of strangers in the size and form in which the server stores them. */
export function boundedIngress(attributes: IngressAttributes): IngressAttributes {
  const name = (value: string | null) => value && cut(value, MAX_NAME);
  const text = (value: string | null) => value && cut(value, MAX_TEXT);
  return {
    branch: name(attributes.branch),
    cloneUrl: urlOf(attributes.cloneUrl) ?? '',
    // Git ends each message with a line break.
    commitMessage: cut(attributes.commitMessage, MAX_TEXT).trimEnd(),
    commitSha: cut(attributes.commitSha, MAX_NAME),
    commitUrl: urlOf(attributes.commitUrl),
    compareUrl: urlOf(attributes.compareUrl),
    identifier: cut(attributes.identifier, MAX_NAME),
    isPullRequest: attributes.isPullRequest,
    onDefaultBranch: attributes.onDefaultBranch,
    pullRequestNumber: attributes.pullRequestNumber,
    pullRequestUrl: urlOf(attributes.pullRequestUrl),
    pullRequestTitle: name(attributes.pullRequestTitle),
    pullRequestBody: text(attributes.pullRequestBody),
    tag: name(attributes.tag),
    senderUsername: name(attributes.senderUsername),
    senderAvatarUrl: urlOf(attributes.senderAvatarUrl),
    senderHtmlUrl: urlOf(attributes.senderHtmlUrl),
  };
}

/** Returns the text of a stranger in at most so many bytes, without characters that no database stores. */
export function cut(text: string, bytes: number): string {
  const stored = text.toWellFormed().replaceAll('\0', '');
  const encoded = Buffer.from(stored);
  if (encoded.length <= bytes) return stored;
  // The last character may be cut in the middle.
  return encoded.subarray(0, bytes).toString().replace(/�+$/, '');
}

/** Returns a URL that clients may show as a link; null for any other text. */
function urlOf(url: string | null): string | null {
  if (url === null || Buffer.byteLength(url) > MAX_URL || !URL.canParse(url)) return null;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? url : null;
}

/** Returns the first line of a commit message. */
export const firstLineOf = (message: string): string => message.trimStart().split(/[\r\n]/, 1)[0] ?? '';

/** Stores the origin of a configuration version. */
export async function addIngress(tx: Transaction, configurationVersionId: string, attributes: IngressAttributes) {
  const id = ingressIdOf(configurationVersionId);
  await store.insertIngress(tx, { ...boundedIngress(attributes), id, configurationVersionId });
  return id;
}

/** Returns the id of the origin of a configuration version. */
const ingressIdOf = (configurationVersionId: string) => configurationVersionId.replace(/^cv-/, 'ia-');

/** Returns the origins of the configuration versions of runs, by the ids of the runs. */
export function ingressesOfRuns(db: Queries, runIds: readonly string[]): Promise<ReadonlyMap<string, Ingress>> {
  return store.ingressesOfRuns(db, runIds);
}

/** Returns the commits of runs by the ids of the runs, as state versions show them. */
export async function commitsOfRuns(db: Queries, runIds: readonly string[]) {
  const found = await store.ingressesOfRuns(db, runIds);
  return new Map([...found].map(([runId, { commitSha, commitUrl }]) => [runId, { sha: commitSha, url: commitUrl }]));
}

/** Returns the user name at the provider of the one who pushed the commit of a configuration version; null if unknown. */
export async function senderOf(db: Queries, configurationVersionId: string): Promise<string | null> {
  const found = await store.ingressesOf(db, [configurationVersionId]);
  return found.get(configurationVersionId)?.senderUsername ?? null;
}

/** Origins of configuration versions. */
export class Ingresses {
  readonly #database: Database;
  readonly #versions: ConfigurationVersions;

  constructor(database: Database, versions: ConfigurationVersions) {
    this.#database = database;
    this.#versions = versions;
  }

  /** Finds an origin. @throws 404 when it does not exist, or the actor may not see its configuration version */
  async find(actor: Actor, id: string): Promise<Ingress> {
    const found = await store.findIngress(this.#database, id);
    if (found === undefined) throw notFound();
    await this.#versions.show(actor, found.configurationVersionId);
    return found;
  }

  /** Returns the origin of a configuration version. @throws 404 if it has none, or the actor may not see it */
  async ofConfiguration(actor: Actor, configurationVersionId: string): Promise<Ingress> {
    const { ingressId } = await this.#versions.show(actor, configurationVersionId);
    if (ingressId === null) throw notFound();
    return this.find(actor, ingressId);
  }

  /** Returns the origins of configuration versions that the actor may see, as resources. */
  async included(configurationVersionIds: readonly string[]): Promise<Resource[]> {
    return [...(await store.ingressesOf(this.#database, configurationVersionIds)).values()].map(
      IngressResource.document,
    );
  }
}
