import { expect } from 'vitest';
import type { Answer, Caller, TestApi, UserCaller } from './api.ts';
import { created, newTeamMember, type TestOrganization } from './organization.ts';
import { runsOf } from './runs.ts';

let names = 0;

/** Body of an approval rule. */
export function ruleBody(teams: readonly string[], attributes: object = {}): object {
  const data = teams.map((id) => ({ type: 'teams', id }));
  return { data: { type: 'approval-rules', attributes, relationships: { teams: { data } } } };
}

/** Short functions for approvals in one organization. */
export function approvalsIn(api: TestApi, acme: TestOrganization) {
  const { owner } = acme;
  const runs = runsOf(api, acme);

  /** Creates a team that may apply runs of all workspaces, and users in it. */
  async function approvers(count: number): Promise<{ team: string; people: UserCaller[] }> {
    const team = await acme.team(`approvers-${++names}`, { 'manage-workspaces': true });
    const people: UserCaller[] = [];
    for (let at = 0; at < count; at++) people.push(await newTeamMember(api, team, `approver-${names}-${at}`));
    return { team, people };
  }

  /** Creates a rule at `/workspaces/…` or `/projects/…`, and returns its ID. */
  async function rule(path: string, teams: readonly string[], attributes: object = {}): Promise<string> {
    const body = ruleBody(teams, { name: `rule ${++names}`, 'required-approvals': 1, ...attributes });
    return created(await owner.call('POST', `${path}/approval-rules`, body));
  }

  /** Creates a workspace with a planned run of the owner. */
  async function planned(attributes: object = {}, rules: (workspace: string) => Promise<unknown> = async () => {}) {
    const workspace = await runs.workspace(`guarded-${++names}`);
    await rules(workspace);
    const run = await runs.run(workspace, attributes);
    await runs.through(run, 'planning', 'planned');
    return { workspace, run };
  }

  const approve = (run: string, caller: Caller, comment?: string): Promise<Answer> => {
    api.advance(1);
    return caller.call('POST', `/runs/${run}/actions/approve`, comment === undefined ? undefined : { comment });
  };
  const confirm = (run: string, caller: Caller): Promise<Answer> => runs.act(run, 'apply', undefined, caller);
  const revoke = (run: string, caller: Caller): Promise<Answer> => runs.act(run, 'revoke-approval', undefined, caller);
  const list = async (run: string, caller: Caller = owner) => (await caller.call('GET', `/runs/${run}/approvals`)).body;
  const seenBy = async (run: string, caller: Caller) => (await caller.call('GET', `/runs/${run}`)).body.data.attributes;
  const events = async (run: string): Promise<string[]> =>
    (await owner.call('GET', `/runs/${run}/run-events`)).body.data.map(
      ({ attributes }: { attributes: { action: string } }) => attributes.action,
    );

  /** Reads the log of the apply, as `tofu apply` does while it waits. */
  async function applyLog(run: string): Promise<string> {
    const { id } = (await runs.show(run)).relationships.apply.data;
    const url = (await owner.call('GET', `/applies/${id}`)).body.data.attributes['log-read-url'];
    const answer = await api.app.inject(`${new URL(url).pathname}?limit=65536&offset=0`);
    expect(answer.statusCode).toBe(200);
    return answer.payload;
  }

  return { runs, approvers, rule, planned, approve, confirm, revoke, list, seenBy, events, applyLog };
}
