import type { Database } from '../../../storage/index.ts';
import {
  type Actor,
  type Explanation,
  explainWorkspace,
  explanation,
  organizationWidePieces,
  type Piece,
  requirePermission,
  type SubjectQuery,
  type Subjects,
  singleGrants,
  type WorkspaceAccess,
  workspaceAccessOf,
} from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import { policyOf, type Workspace } from '../model/workspace.ts';

/** Explains why a subject has, or lacks, each permission in a workspace. */
export class WorkspaceExplanation {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;
  readonly #subjects: Subjects;

  constructor(database: Database, finder: WorkspaceFinder, subjects: Subjects) {
    this.#database = database;
    this.#finder = finder;
    this.#subjects = subjects;
  }

  /**
   * Explains the actor's own permissions to every actor who sees the workspace, and others' permissions to its
   * administrators.
   * @throws 404 without permission, 422 for a subject outside of the organization
   */
  async explain(actor: Actor, id: string, query: SubjectQuery): Promise<Explanation> {
    const workspace = await this.#finder.find(actor, { id }, 'can-read-settings');
    const organization = { id: workspace.organizationId, name: workspace.organizationName };
    const subject = await this.#subjects.find(actor, organization, query, () =>
      requirePermission(workspace.permissions, 'can-update'),
    );
    // The finder decides the permissions. The pieces only explain their origin.
    const { access, permissions } = await this.#finder.decide(subject.actor, workspace);
    const wide = organizationWidePieces(subject.pieces);
    const pieces = await this.#piecesOf(subject.actor, workspace, { wide, access });
    const verdicts = explainWorkspace(permissions, pieces, policyOf(workspace));
    return explanation({ type: 'workspaces', id: workspace.id }, subject, verdicts);
  }

  async #piecesOf(
    actor: Actor,
    workspace: Workspace,
    { wide, access }: { readonly wide: readonly Piece<WorkspaceAccess>[]; readonly access: WorkspaceAccess },
  ): Promise<Piece<WorkspaceAccess>[]> {
    const none = { teamId: null, gives: null, accessId: null, given: access };
    if (actor.kind === 'agent') return [{ ...none, kind: 'job' }];
    if (actor.kind === 'task') return [{ ...none, kind: 'run-task' }];
    const grants = await singleGrants(this.#database, actor, workspace.organizationId, workspace);
    const single = grants.map((grant): Piece<WorkspaceAccess> => {
      const { kind, teamId, id, access: gives } = grant;
      return { kind, teamId, gives, accessId: id, given: workspaceAccessOf(grant) };
    });
    return [...wide, ...single];
  }
}
