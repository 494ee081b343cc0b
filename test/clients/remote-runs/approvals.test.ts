import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import { ORGANIZATION } from '../tofu/installation.ts';
import { CLIENTS, eventually, flat, prints, Remote } from './remote.ts';

let server: Remote;
/** Token of a user who can approve. */
let approver: string;
let team: string;
beforeAll(async () => {
  server = await Remote.start();
  ({ approver, team } = await newApprover());
});
afterAll(() => server.stop());

/** Creates a user in a team that may apply. The site administrator creates the user and their token. */
async function newApprover(): Promise<{ approver: string; team: string }> {
  const { installation } = server;
  const made = await installation.create(`/api/v2/organizations/${ORGANIZATION}/teams`, 'teams', {
    ...{ name: 'approvers', visibility: 'organization' },
    'organization-access': { 'manage-workspaces': true },
  });
  const email = 'approver@example.com';
  const user = await installation.create('/api/v2/admin/users', 'users', { username: 'approver', email });
  const path = `/api/v2/admin/users/${user}/authentication-tokens`;
  const issued = await installation.call('POST', path, { body: { data: { type: 'authentication-tokens' } } });
  const { token } = issued.body.data.attributes;
  const teams = { teams: { data: [{ type: 'teams', id: made }] } };
  const invitations = `/api/v2/organizations/${ORGANIZATION}/organization-memberships`;
  const invited = await installation.create(invitations, 'organization-memberships', { email }, teams);
  await installation.call('POST', `/api/v2/organization-memberships/${invited}/actions/accept`, { token });
  return { approver: token, team: made };
}

describe.concurrent.each(CLIENTS)('$client, $backend', ({ client, program, backend }) => {
  const nameOf = (what: string) => `${what}-${client}-${backend}`;

  /** Creates a project whose workspace needs one approval. */
  async function guarded(what: string) {
    const here = await server.project(nameOf(what), plain('app'), { program, backend });
    const { id } = await server.installation.workspace(nameOf(what));
    const teams = { teams: { data: [{ type: 'teams', id: team }] } };
    const path = `/api/v2/workspaces/${id}/approval-rules`;
    await server.installation.create(path, 'approval-rules', { name: 'production' }, teams);
    return here;
  }
  async function runOf(what: string): Promise<string> {
    const { id } = await server.installation.workspace(nameOf(what));
    const { body } = await server.installation.call('GET', `/api/v2/workspaces/${id}/runs?page[size]=1`);
    return body.data[0].id;
  }
  const act = async (what: string, action: string, token: string) => {
    const path = `/api/v2/runs/${await runOf(what)}/actions/${action}`;
    const answer = await server.installation.call('POST', path, { token, body: {} });
    expect(answer.status, answer.text).toBe(202);
  };
  const confirmed = (what: string) =>
    eventually(async () => expect((await server.run(nameOf(what))).approvals).toMatchObject({ confirmed: true }));

  it('waits for the approval after the answer "yes", says so, and shows the apply', async (context) => {
    const here = await guarded('approved');
    const running = here.start(['apply', '-no-color'], null);
    context.onTestFinished(() => void running.process.kill('SIGKILL'));
    await prints(running, /Enter a value/);
    running.process.stdin?.write('yes\n');
    await confirmed('approved');
    await eventually(() =>
      expect(flat(running.printed())).toContain(
        'The run waits for approvals. The approval rule "production" has 0 of 1 approvals. Members of team approvers can approve, but not the requester of the run.',
      ),
    );
    await act('approved', 'approve', approver);
    const { code, stdout, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('approver approved the run: 1 of 1 approvals.');
    expect(stdout).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    await server.runIs(nameOf('approved'), 'applied');
  });

  it('-auto-approve waits for the approval too', async (context) => {
    const here = await guarded('automatic');
    const running = here.start(['apply', '-no-color', '-input=false', '-auto-approve'], null);
    context.onTestFinished(() => void running.process.kill('SIGKILL'));
    await prints(running, /0 of 1 approvals/);
    expect((await server.run(nameOf('automatic'))).status).toBe('planned');
    await act('automatic', 'approve', approver);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Apply complete! Resources: 1 added')]);
  });

  it('a confirmation of the approver elsewhere ends the question', async (context) => {
    const here = await guarded('elsewhere');
    const running = here.start(['apply', '-no-color'], null);
    context.onTestFinished(() => void running.process.kill('SIGKILL'));
    await prints(running, /Enter a value/);
    await act('elsewhere', 'apply', approver);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Apply complete! Resources: 1 added')]);
  });
});
