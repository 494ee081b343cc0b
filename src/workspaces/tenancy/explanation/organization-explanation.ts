import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { barred, explainOrganization, type Verdict } from '../permissions/explain.ts';
import { organizationPermissions } from '../permissions/organization.ts';
import type { Subject, SubjectQuery, Subjects } from './subjects.ts';

/** Permissions of a user or team, with reasons. */
export interface Explanation {
  /** Resource that the permissions are about. */
  readonly target: { readonly type: 'organizations' | 'workspaces'; readonly id: string };
  readonly subject: Subject;
  readonly verdicts: readonly Verdict[];
}

/** Builds an explanation. */
export function explanation(
  target: Explanation['target'],
  subject: Subject,
  verdicts: readonly Verdict[],
): Explanation {
  const reason = subject.barred;
  return { target, subject, verdicts: reason === undefined ? verdicts : verdicts.map((one) => barred(one, reason)) };
}

/** Explains the permissions of a user or a team on an organization. */
export class OrganizationExplanation {
  readonly #organizations: Organizations;
  readonly #subjects: Subjects;

  constructor(organizations: Organizations, subjects: Subjects) {
    this.#organizations = organizations;
    this.#subjects = subjects;
  }

  /**
   * Returns the explanation. Every actor may request its own. An explanation for another user or team needs permission
   * to manage teams.
   * @throws 404 without permission; 422 for a user or team that is not in the organization
   */
  async explain(actor: Actor, name: string, query: SubjectQuery): Promise<Explanation> {
    const organization = await this.#organizations.find(actor, name, 'can-traverse');
    const { owner, access } = organization.grant;
    const subject = await this.#subjects.find(actor, organization, query, () =>
      requirePermission({ asks: owner || access['manage-organization-access'] }, 'asks'),
    );
    const allowed = organizationPermissions(grantIn(subject.actor, organization.id));
    const target = { type: 'organizations', id: organization.name } as const;
    return explanation(target, subject, explainOrganization(allowed, subject.pieces));
  }
}
