import type { Connection } from '../connection/connection.ts';
import { allPages, oneResource, type Resource, textIn } from '../connection/pages.ts';
import type { SourceState, StateChoice, StateSource } from '../states/state-source.ts';

/** States of workspaces that the workspace API has. */
export class ApiStates implements StateSource {
  readonly #connection: Connection;
  readonly #organization: string;
  readonly #choice: StateChoice;
  /** IDs of workspaces by name. */
  readonly #workspaces: ReadonlyMap<string, string>;

  constructor(
    connection: Connection,
    organization: string,
    choice: StateChoice,
    workspaces: ReadonlyMap<string, string>,
  ) {
    this.#connection = connection;
    this.#organization = organization;
    this.#choice = choice;
    this.#workspaces = workspaces;
  }

  async statesOf(workspace: string): Promise<readonly SourceState[]> {
    const id = this.#workspaces.get(workspace);
    if (id === undefined || this.#choice === 'none') return [];
    const found = this.#choice === 'all' ? await this.#all(workspace) : await this.#newest(id);
    return found.map((resource) => this.#stateOf(resource));
  }

  async #newest(id: string): Promise<readonly Resource[]> {
    const one = await oneResource(this.#connection, `/api/v2/workspaces/${id}/current-state-version`);
    return one === undefined ? [] : [one];
  }

  /** Keeps the versions that led to the current one: its lineage, serials that grow, the newest of equal ones. */
  async #all(workspace: string): Promise<readonly Resource[]> {
    const filter = new URLSearchParams({
      'filter[organization][name]': this.#organization,
      'filter[workspace][name]': workspace,
    });
    const { data } = await allPages(this.#connection, `/api/v2/state-versions?${filter}`);
    const final = data.filter(isFinal);
    const kept: Resource[] = [];
    for (const version of final.filter((one) => hasLineageOf(one, final[0]))) {
      const next = serialOf(kept.at(-1)) ?? Number.POSITIVE_INFINITY;
      if ((serialOf(version) ?? -1) < next) kept.push(version);
    }
    return kept.toReversed();
  }

  #stateOf(resource: Resource): SourceState {
    const { size } = resource.attributes;
    return {
      serial: serialOf(resource),
      size: typeof size === 'number' ? size : undefined,
      md5: textIn(resource, 'md5') || undefined,
      lineage: textIn(resource, 'lineage') || undefined,
      open: async () => {
        // The link may expire while earlier workspaces are copied.
        const fresh = await oneResource(this.#connection, `/api/v2/state-versions/${resource.id}`);
        return this.#connection.download(textIn(fresh ?? resource, 'hosted-state-download-url'));
      },
    };
  }
}

/** Versions without data, and snapshots of an apply that has not ended, are left out. */
function isFinal({ attributes }: Resource): boolean {
  const { status = 'finalized', intermediate = false } = attributes;
  return status === 'finalized' && intermediate !== true && typeof attributes['hosted-state-download-url'] === 'string';
}

/** Servers that do not return the lineage keep all versions: `StateTarget` reads it in the state. */
function hasLineageOf(one: Resource, current: Resource | undefined): boolean {
  const [lineage, wanted] = [textIn(one, 'lineage'), current ? textIn(current, 'lineage') : ''];
  return lineage === '' || wanted === '' || lineage === wanted;
}

function serialOf(resource: Resource | undefined): number | undefined {
  const serial = resource?.attributes.serial;
  return typeof serial === 'number' ? serial : undefined;
}
