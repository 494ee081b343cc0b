import { type Document, once, type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { type Page, pageDocument, type Slice } from '../../jsonapi/pagination.ts';
import { type Actor, isPrincipal, TeamResource, type Teams, type Users, userResource } from '../../tenancy/index.ts';
import type { StateHooks } from '../hooks/hooks.ts';
import { OutputResource } from './content-resources.ts';
import type { StateContents } from './contents.ts';
import type { StateLinks } from './links.ts';
import { StateVersionResource, type VersionContext } from './resource.ts';
import type { StateVersion } from './state-version.ts';

/** Accepted words of `include`. */
const INCLUDES = ['created_by', 'outputs', 'run', 'run.configuration_version', 'run.created_by'] as const;

/** Words of `include` in one request, all of which are in INCLUDES. */
export type StateIncludes = ReadonlySet<(typeof INCLUDES)[number]>;

/**
 * Parses `include`.
 * @throws 400 for an unknown word
 */
export function parseStateInclude(include: string | undefined): StateIncludes {
  return parseInclude(include, INCLUDES);
}

/** Actor and URL of the request. */
export interface Asker {
  readonly actor: Actor;
  readonly url: URL;
}

/** Dependencies of the presenter. */
export interface StatePresenterOptions {
  readonly contents: StateContents;
  readonly hooks: Pick<StateHooks, 'commitsOf' | 'includedRuns'>;
  readonly links: StateLinks;
  readonly teams: Teams;
  readonly users: Users;
}

/** Builds the documents of state versions. */
export class StatePresenter {
  readonly #options: StatePresenterOptions;

  constructor(options: StatePresenterOptions) {
    this.#options = options;
  }

  async documentOf(asker: Asker, version: StateVersion, asked: StateIncludes = new Set()): Promise<Document> {
    const { data, included } = await this.#present(asker, [version], asked);
    return withIncluded(data[0] as Resource, included);
  }

  async page(asker: Asker, page: Page, { items, total }: Slice<StateVersion>, asked: StateIncludes) {
    const { data, included } = await this.#present(asker, items, asked);
    return pageDocument(asker.url, page, total, data, included);
  }

  /** Returns the versions as resources included in another document. */
  async resourcesOf(asker: Asker, versions: readonly StateVersion[]): Promise<readonly Resource[]> {
    return (await this.#present(asker, versions, new Set())).data;
  }

  async #present({ actor, url }: Asker, versions: readonly StateVersion[], asked: StateIncludes) {
    const { contents, hooks } = this.#options;
    const runIds = versions.flatMap(({ runId }) => runId ?? []);
    const [overviewOf, commits] = await Promise.all([contents.overviews(versions), hooks.commitsOf(runIds)]);
    const data = versions.map((version) =>
      StateVersionResource.document(version, {
        overview: overviewOf(version),
        linkOf: this.#linkOf(actor, url, version),
        commit: commits.get(version.runId ?? ''),
      }),
    );
    const included = [
      ...(asked.has('created_by') ? await this.#creators(actor, versions) : []),
      ...(asked.has('outputs') ? await this.#outputs(versions) : []),
      ...(asked.has('run') ? await this.#runs(actor, versions, asked, url) : []),
    ];
    return { data, included: once(included) };
  }

  /**
   * Returns the function that creates signed URLs for the actor. Only the actor who created the version may upload its
   * state.
   */
  #linkOf(actor: Actor, { origin }: URL, version: StateVersion): VersionContext['linkOf'] {
    const isCreator = isPrincipal(actor, version.creator.id);
    return (kind) => {
      if (kind.endsWith('-upload') && !isCreator) return null;
      return this.#options.links[kind].url(origin, { id: version.id, holder: actor.credential });
    };
  }

  async #creators(actor: Actor, versions: readonly StateVersion[]): Promise<Resource[]> {
    const { teams, users } = this.#options;
    const idsOf = (type: string) => [
      ...new Set(versions.flatMap(({ creator }) => (creator.type === type ? [creator.id] : []))),
    ];
    const [people, groups] = [idsOf('users'), idsOf('teams')];
    return [
      ...(people.length === 0 ? [] : await users.named(people)).map((user) => userResource(user, actor)),
      ...(groups.length === 0 ? [] : await teams.readable(actor, groups)).map((team) => TeamResource.document(team)),
    ];
  }

  #runs(
    actor: Actor,
    versions: readonly StateVersion[],
    asked: StateIncludes,
    { origin }: URL,
  ): Promise<readonly Resource[]> {
    const beside = (['configuration_version', 'created_by'] as const).filter((word) => asked.has(`run.${word}`));
    const ids = versions.flatMap(({ runId }) => runId ?? []);
    return this.#options.hooks.includedRuns(actor, ids, origin, new Set(beside));
  }

  async #outputs(versions: readonly StateVersion[]): Promise<Resource[]> {
    const each = versions
      .filter(({ outputCount }) => outputCount > 0)
      .map(async (version) =>
        (await this.#options.contents.outputs(version)).map((output, index) =>
          OutputResource.document({ output, index }, { versionId: version.id, isMasked: false }),
        ),
      );
    return (await Promise.all(each)).flat();
  }
}
