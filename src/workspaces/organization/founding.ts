import type { Clock } from '../../lib/clock.ts';
import { prefixedId } from '../../lib/ids.ts';
import type { Database } from '../../storage/index.ts';
import { attributeIssue, unprocessable } from '../jsonapi/errors.ts';
import { nameIssues, takingName } from '../names.ts';
import { type Actor, userOf } from '../permissions/actor.ts';
import { NO_ACCESS } from '../permissions/grants.ts';
import type { Projects } from '../project/projects.ts';
import type { Teams } from '../team/teams.ts';
import { type Organization, type Organizations, type OrganizationView, organizationView } from './organizations.ts';

const DEFAULT_PROJECT = 'Default Project';
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** What a client says of a new organization. */
export interface OrganizationInput {
  readonly name: string;
  readonly email: string;
  readonly defaultExecutionMode: 'remote' | 'local';
  readonly allowForceDelete: boolean;
}

/** Makes new organizations, each with the owners team, its founder in it, and the default project. */
export class Founding {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;
  readonly #projects: Projects;
  readonly #teams: Teams;

  constructor(database: Database, clock: Clock, organizations: Organizations, projects: Projects, teams: Teams) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
    this.#projects = projects;
    this.#teams = teams;
  }

  /** @throws 404 for a machine, 422 for a name that is taken or breaks the rule. */
  async found(actor: Actor, input: OrganizationInput): Promise<OrganizationView> {
    const founder = userOf(actor);
    const issues = nameIssues(input.name);
    if (!EMAIL.test(input.email)) issues.push(attributeIssue('email', 'Email is not an address'));
    if (issues.length > 0) throw unprocessable(issues);

    const createdAt = this.#clock();
    const organization: Organization = {
      ...input,
      id: prefixedId('org', createdAt),
      defaultProjectId: prefixedId('prj', createdAt),
      allowForceDelete: Number(input.allowForceDelete),
      workspaceCount: 0,
      createdAt,
    };
    const { id: organizationId, defaultProjectId: id } = organization;
    const owners = await takingName(() =>
      this.#database.transaction(async (tx) => {
        await this.#organizations.insert(tx, organization);
        await this.#projects.insert(tx, { id, organizationId, name: DEFAULT_PROJECT, description: null });
        return this.#teams.createOwners(tx, organizationId, founder.id);
      }),
    );
    return organizationView(organization, { organizationId, teamIds: [owners], owner: true, access: NO_ACCESS });
  }
}
