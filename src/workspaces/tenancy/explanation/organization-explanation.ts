import type { Organizations } from '../organization/organizations.ts';
import { type Actor, grantIn, requirePermission } from '../permissions/actor.ts';
import { barred, explainOrganization, type Verdict } from '../permissions/explain.ts';
import { organizationPermissions } from '../permissions/organization.ts';
import type { Subject, SubjectQuery, Subjects } from './subjects.ts';

/** What somebody may do, and why. */
export interface Explanation {
  /** Of what it is about. */
  readonly target: { readonly type: 'organizations' | 'workspaces'; readonly id: string };
  readonly subject: Subject;
  readonly verdicts: readonly Verdict[];
}

/** Puts an answer together. */
export function explanation(
  target: Explanation['target'],
  subject: Subject,
  verdicts: readonly Verdict[],
): Explanation {
  const reason = subject.barred;
  return { target, subject, verdicts: reason === undefined ? verdicts : verdicts.map((one) => barred(one, reason)) };
}

/** Why somebody may do what in an organization. */
export class OrganizationExplanation {
  readonly #organizations: Organizations;
  readonly #subjects: Subjects;

  constructor(organizations: Organizations, subjects: Subjects) {
    this.#organizations = organizations;
    this.#subjects = subjects;
  }

  /**
   * Everybody may ask about themselves; about others whoever decides what teams may do in the organization.
   * @throws 404 when the actor may not, 422 for somebody who is not of the organization
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
