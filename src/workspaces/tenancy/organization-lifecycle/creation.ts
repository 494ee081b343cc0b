import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import { takingName } from '../organization/name.ts';
import type { Organization, Organizations, OrganizationView } from '../organization/organizations.ts';
import { NEW_ORGANIZATION, nextOrganization, type OrganizationInput } from '../organization/rules.ts';
import { type Actor, noteSubject, userOf } from '../permissions/actor.ts';
import { NO_ACCESS } from '../permissions/grants.ts';
import type { ProjectChanges } from '../project/changes.ts';
import type { Teams } from '../team/teams.ts';
import type { Admission } from '../user/admission.ts';
import { assertFree, type Users } from '../user/users.ts';

export interface OrganizationCreationOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: ProjectChanges;
  readonly teams: Teams;
  readonly admission: Admission;
  readonly users: Users;
  readonly hooks: Pick<TenancyHooks, 'onCreated'>;
}

/** Creates organizations with the owners team, the creator as its member, and the default project. */
export class OrganizationCreation {
  readonly #options: OrganizationCreationOptions;

  constructor(options: OrganizationCreationOptions) {
    this.#options = options;
  }

  /**
   * Creates an organization.
   * @throws 404 for a machine; 422 for a user of one organization's identity provider, and for a name that is taken or
   * invalid
   */
  async create(actor: Actor, input: OrganizationInput): Promise<OrganizationView> {
    const { admission, clock, database, hooks, organizations, projects, teams, users } = this.#options;
    const founder = userOf(actor);
    const { next, issues } = nextOrganization(NEW_ORGANIZATION, input);
    if (issues.length > 0) throw unprocessable(issues);

    const createdAt = clock();
    const organization: Organization = {
      ...next,
      id: prefixedId('org', createdAt),
      defaultProjectId: prefixedId('prj', createdAt),
      workspaceCount: 0,
      createdAt,
    };
    const { id: organizationId, defaultProjectId } = organization;
    const owners = await takingName(() =>
      database.transaction(async (tx) => {
        await organizations.insert(tx, organization, founder.id);
        await projects.createDefault(tx, organizationId, defaultProjectId, createdAt);
        const account = await users.present(tx, founder.id);
        assertFree(account);
        await admission.admit(tx, organizationId, account);
        await hooks.onCreated(tx, organizationId);
        return teams.createOwners(tx, organizationId, founder.id);
      }),
    );
    noteSubject(actor, { organizationId });
    return organizations.viewOf(organization, { organizationId, teamIds: [owners], owner: true, access: NO_ACCESS });
  }
}
