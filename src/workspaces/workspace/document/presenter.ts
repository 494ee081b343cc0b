import { type Document, type Resource, withIncluded } from '../../jsonapi/document.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { piecemeal } from '../../jsonapi/included-size.ts';
import { type Page, pageDocument, type Slice } from '../../jsonapi/pagination.ts';
import { writtenOnce } from '../../jsonapi/writing.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { Included, Part, WorkspaceHooks } from '../hooks/hooks.ts';
import { INCLUDES, type Include } from '../hooks/include-words.ts';
import type { WorkspaceView } from '../model/workspace.ts';
import { workspaceResource } from './document.ts';

/** What of other resources a client wants sent along, and by which address; `askedOf` makes it of the query. */
export interface Asked {
  readonly words: ReadonlySet<Include>;
  readonly url: URL;
}

/** @throws 400 for a word that is none */
export function askedOf(include: string | undefined, url: URL): Asked {
  return { words: parseInclude(include, INCLUDES), url };
}

/** Of these one workspace can have megabytes. */
const LARGE: ReadonlySet<Include> = new Set(['current_state_version', 'outputs', 'vars']);
/** Workspaces of which those are read at a time. */
const AT_A_TIME = 5;

/** Shows workspaces: one document, wherever it is shown, of what each domain knows. One query a domain, however many. */
export class WorkspacePresenter {
  readonly #hooks: WorkspaceHooks;
  readonly #documents = new WeakMap<WorkspaceView, Document>();

  constructor(hooks: WorkspaceHooks) {
    this.#hooks = hooks;
  }

  /** The answer of whatever shows, makes or changes one. Without anything included it is the same for all who get the view. */
  async one(actor: Actor, workspace: WorkspaceView, asked?: Asked): Promise<Document> {
    const isPlain = asked === undefined || asked.words.size === 0;
    const known = isPlain ? this.#documents.get(workspace) : undefined;
    if (known !== undefined) return known;
    const { data, included } = await this.#present(actor, [workspace], asked);
    const document = withIncluded(data[0] ?? workspaceResource(workspace), included);
    if (isPlain) this.#documents.set(workspace, writtenOnce(document));
    return document;
  }

  /** The answer of a list. */
  async page(actor: Actor, url: URL, page: Page, { items, total }: Slice<WorkspaceView>, asked?: Asked) {
    const { data, included } = await this.#present(actor, items, asked);
    return pageDocument(url, page, total, data, included);
  }

  /** As members of another resource's answer. */
  async each(actor: Actor, workspaces: readonly WorkspaceView[]): Promise<readonly Resource[]> {
    return (await this.#present(actor, workspaces)).data;
  }

  async #present(
    actor: Actor,
    workspaces: readonly WorkspaceView[],
    asked?: Asked,
  ): Promise<{ data: Resource[]; included: Resource[] }> {
    if (workspaces.length === 0) return { data: [], included: [] };
    const parts = await Promise.all(this.#hooks.documents.map((source) => source(workspaces)));
    const included = asked ? await this.#included(actor, workspaces, asked) : [];
    const all = [...parts, ...included.flatMap((given) => given.parts ?? [])];
    return {
      data: workspaces.map((workspace) =>
        all.reduce((resource, part) => extended(resource, part.get(workspace.id)), workspaceResource(workspace)),
      ),
      included: once(included.flatMap(({ resources }) => resources)),
    };
  }

  #included(actor: Actor, workspaces: readonly WorkspaceView[], { words, url }: Asked): Promise<Included[]> {
    const given = [...words].map(async (word) => {
      const source = this.#hooks.includes.get(word);
      if (source === undefined) return [];
      const read = (some: readonly WorkspaceView[]) => source(actor, some, url);
      const atATime = LARGE.has(word) ? AT_A_TIME : workspaces.length;
      return piecemeal(workspaces, atATime, read, ({ resources }) => resources);
    });
    return Promise.all(given).then((each) => each.flat());
  }
}

/** A relationship that is given data keeps its link. */
function extended(resource: Resource, part: Part | undefined): Resource {
  if (part === undefined) return resource;
  const relationships = Object.entries(part.relationships ?? {}).map(([name, given]) => {
    return [name, { ...resource.relationships?.[name], ...given }] as const;
  });
  return {
    ...resource,
    attributes: { ...resource.attributes, ...part.attributes },
    relationships: { ...resource.relationships, ...Object.fromEntries(relationships) },
  };
}

/** JSON:API 1.1 §7.1: a resource is included once. */
function once(resources: readonly Resource[]): Resource[] {
  return [...new Map(resources.map((resource) => [`${resource.type} ${resource.id}`, resource])).values()];
}
