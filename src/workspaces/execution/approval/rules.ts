import type { Clock } from '../../../lib/clock.ts';
import type { Issue } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import { alreadyTaken, attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import { type Actor, holdProject, type Projects, type Teams } from '../../tenancy/index.ts';
import { holdWorkspace, type WorkspaceFinder } from '../../workspace/index.ts';
import type { ApprovalRule, RuleOperations, RuleTeam } from './approval.ts';
import type { RuleOwner } from './rule-store.ts';
import * as store from './rule-store.ts';

/** @limit approval rules of a workspace, and of a project, rules -> 422 */
const MAX_RULES = 10;
/** @limit teams of an approval rule, teams -> 422 */
export const MAX_TEAMS = 10;
/** @limit approvals that one approval rule requires, approvals -> 422 */
export const MAX_REQUIRED = 10;
/** No control characters, because the name is part of messages and logs. */
const NAME = /^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u;
const NAME_RULE = 'Name must have 1 to 100 characters, no control characters, and no space at its start or end';

/** Dependencies of `ApprovalRules`. */
export interface ApprovalRulesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly projects: Projects;
  readonly teams: Teams;
  readonly workspaces: WorkspaceFinder;
}

/** Changes from a client. Missing fields keep their values. */
export interface RuleInput {
  readonly name?: string | undefined;
  readonly required?: number | undefined;
  readonly requesterMayApprove?: boolean | undefined;
  readonly operations?: RuleOperations | undefined;
  readonly teamIds?: readonly string[] | undefined;
}

/** Rule as an actor sees it. */
export interface RuleView extends ApprovalRule {
  /** Ids of the teams whose names the actor may read. */
  readonly readable: ReadonlySet<string>;
}

/** Resource that a rule belongs to, and its organization. */
type Owner = RuleOwner & { readonly organizationId: string };

/**
 * Manages approval rules. A rule of a project can only be changed by users who manage the project, so a workspace cannot
 * weaken it.
 */
export class ApprovalRules {
  readonly #options: ApprovalRulesOptions;

  constructor(options: ApprovalRulesOptions) {
    this.#options = options;
  }

  /** Returns all rules that hold for a workspace: those of its project first. @throws 404 without permission */
  async ofWorkspace(actor: Actor, workspaceId: string): Promise<RuleView[]> {
    const { database, workspaces } = this.#options;
    await workspaces.find(actor, { id: workspaceId }, 'can-read-settings');
    const inForce = await store.rulesInForce(database, [workspaceId]);
    return this.#views(
      actor,
      inForce.map(({ rule }) => rule),
    );
  }

  /** Returns the rules of a project, oldest first. @throws 404 without permission */
  async ofProject(actor: Actor, projectId: string): Promise<RuleView[]> {
    await this.#options.projects.find(actor, projectId, 'can-read');
    return this.#views(actor, await store.rulesOf(this.#options.database, { projectId, workspaceId: null }));
  }

  /** Finds a rule. @throws 404 if it does not exist, or without permission */
  async find(actor: Actor, id: string): Promise<RuleView> {
    return this.#view(actor, await this.#found(actor, id, 'read'));
  }

  /** Creates a rule of a workspace. @throws 404 without permission, 422 for invalid values */
  async createForWorkspace(actor: Actor, workspaceId: string, input: RuleInput): Promise<RuleView> {
    const { organizationId } = await this.#options.workspaces.find(actor, { id: workspaceId }, 'can-update');
    return this.#create(actor, { projectId: null, workspaceId, organizationId }, input);
  }

  /** Creates a rule of a project. @throws 404 without permission, 422 for invalid values */
  async createForProject(actor: Actor, projectId: string, input: RuleInput): Promise<RuleView> {
    const { organizationId } = await this.#options.projects.find(actor, projectId, 'can-update');
    return this.#create(actor, { projectId, workspaceId: null, organizationId }, input);
  }

  /** Updates a rule. @throws 404 without permission, 422 for invalid values */
  async update(actor: Actor, id: string, input: RuleInput): Promise<RuleView> {
    const { clock, database } = this.#options;
    const rule = await this.#found(actor, id, 'write');
    const owner = ownerOf(rule);
    const teams = input.teamIds && (await this.#teams(actor, owner, input.teamIds));
    await database.transaction(async (tx) => {
      await holdOwner(tx, owner);
      // Read again after the lock, so that two changes at the same time do not undo each other.
      const current = (await store.claimRule(tx, id)) ? await store.findRule(tx, id) : undefined;
      if (current === undefined) throw notFound();
      const next = settingsOf(current, input);
      await this.#check(tx, owner, next, id);
      await store.updateRule(tx, { ...next, id, updatedAt: clock() });
      if (teams !== undefined) await store.setTeams(tx, id, teams);
    });
    return this.find(actor, id);
  }

  /** Deletes a rule. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#found(actor, id, 'write');
    await store.removeRule(this.#options.database, id);
  }

  async #create(actor: Actor, owner: Owner, input: RuleInput): Promise<RuleView> {
    const { clock, database } = this.#options;
    const teams = await this.#teams(actor, owner, input.teamIds ?? []);
    const createdAt = clock();
    const rule = { ...settingsOf(NEW_RULE, input), id: prefixedId('apr', createdAt), createdAt, updatedAt: createdAt };
    await database.transaction(async (tx) => {
      await holdOwner(tx, owner);
      const known = await this.#check(tx, owner, rule);
      if (known >= MAX_RULES) {
        const detail = `A workspace or project can have at most ${MAX_RULES} approval rules. Delete one first`;
        throw unprocessable([{ detail }]);
      }
      await store.insertRule(tx, { ...rule, ...owner });
      await store.setTeams(tx, rule.id, teams);
    });
    return this.find(actor, rule.id);
  }

  /** Checks the values. Returns how many other rules the owner has. */
  async #check(tx: Transaction, owner: Owner, { name, required }: Settings, id?: string): Promise<number> {
    const issues: Issue[] = [];
    if (!NAME.test(name)) issues.push(attributeIssue('name', NAME_RULE));
    if (required < 1 || required > MAX_REQUIRED) {
      issues.push(attributeIssue('required-approvals', `Required approvals must be 1 to ${MAX_REQUIRED}`));
    }
    if (issues.length > 0) throw unprocessable(issues);
    const others = (await store.rulesOf(tx, owner)).filter((rule) => rule.id !== id);
    if (others.some((rule) => rule.name === name)) throw alreadyTaken('name');
    return others.length;
  }

  async #teams(actor: Actor, { organizationId }: Owner, asked: readonly string[]): Promise<RuleTeam[]> {
    const ids = [...new Set(asked)];
    const found = ids.length === 0 ? [] : await this.#options.teams.readable(actor, ids);
    const teams = found.filter((team) => team.organizationId === organizationId);
    const unknown = ids.filter((id) => !teams.some((team) => team.id === id));
    const pointer = '/data/relationships/teams';
    if (unknown.length > 0) {
      throw unprocessable(
        unknown.map((id) => ({ detail: `The organization has no team ${id} that you can see`, pointer })),
      );
    }
    if (ids.length === 0) throw unprocessable([{ detail: 'An approval rule needs at least one team', pointer }]);
    return teams.map(({ id, name, visibility }) => ({ id, name, exists: true, secret: visibility === 'secret' }));
  }

  async #found(actor: Actor, id: string, access: 'read' | 'write'): Promise<ApprovalRule> {
    const { database, projects, workspaces } = this.#options;
    const rule = await store.findRule(database, id);
    if (rule === undefined) throw notFound();
    const owner = ownerOf(rule);
    if (owner.workspaceId !== null) {
      const permission = access === 'read' ? 'can-read-settings' : 'can-update';
      await workspaces.find(actor, { id: owner.workspaceId }, permission);
    } else await projects.find(actor, owner.projectId, access === 'read' ? 'can-read' : 'can-update');
    return rule;
  }

  async #view(actor: Actor, rule: ApprovalRule): Promise<RuleView> {
    const [view] = await this.#views(actor, [rule]);
    if (view === undefined) throw notFound();
    return view;
  }

  async #views(actor: Actor, rules: readonly ApprovalRule[]): Promise<RuleView[]> {
    const ids = [...new Set(rules.flatMap(({ teams }) => teams.map(({ id }) => id)))];
    const seen = ids.length === 0 ? [] : await this.#options.teams.readable(actor, ids);
    const readable = new Set(seen.map(({ id }) => id));
    return rules.map((rule) => ({ ...rule, readable }));
  }
}

/**
 * Locks the owner of rules until the transaction ends, so that parallel requests exceed no limit and take no name twice.
 * @throws 404 if it was deleted
 */
async function holdOwner(tx: Transaction, { projectId, workspaceId }: RuleOwner): Promise<void> {
  const held = workspaceId === null ? await holdProject(tx, projectId) : await holdWorkspace(tx, workspaceId);
  if (held === undefined) throw notFound();
}

/** Returns why only users who manage the rules of a project may move workspaces out of it; undefined without rules. */
export async function whyStays(db: Queries, projectId: string): Promise<string | undefined> {
  const rules = await store.rulesOf(db, { projectId, workspaceId: null });
  return rules.length === 0 ? undefined : STAYS;
}

const STAYS =
  'The project has approval rules, which would not hold for the workspace after the move. Ask a user who may change the project (can-update) to move it';

type Settings = Pick<ApprovalRule, 'name' | 'required' | 'requesterMayApprove' | 'operations'>;

const NEW_RULE: Settings = { name: '', required: 1, requesterMayApprove: false, operations: 'all' };

function settingsOf(current: Settings, { name, required, requesterMayApprove, operations }: RuleInput): Settings {
  return {
    name: name ?? current.name,
    required: required ?? current.required,
    requesterMayApprove: requesterMayApprove ?? current.requesterMayApprove,
    operations: operations ?? current.operations,
  };
}

function ownerOf({ organizationId, projectId, workspaceId }: ApprovalRule): Owner {
  if (workspaceId !== null) return { organizationId, projectId: null, workspaceId };
  return { organizationId, projectId: projectId ?? '', workspaceId: null };
}
