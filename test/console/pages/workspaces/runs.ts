import type { PageGroup } from '../../support/console.ts';
import { agentsOf, PLAN, PLANNED, SAID } from '../../support/runs.ts';

const pages: PageGroup = {
  name: 'runs',
  prepare: async (on) => {
    const agents = await agentsOf(on, 'visited');
    const id = await agents.workspace('network');
    const place = (run: string, more = '') => `/acme/workspaces/network/runs/${run}${more}`;
    const applied = await agents.run(id, { message: 'Merge #1841: widen egress ranges' });
    const plan = await agents.take();
    await plan.say(SAID);
    await plan.handIn(PLAN);
    await plan.finish('finished', PLANNED);
    await on.server.user('POST', `/api/v2/runs/${applied}/actions/apply`, {
      comment: 'window is open <b>until</b> 16:00',
    });
    const apply = await agents.take();
    await apply.say('aws_route53_record.a: Creating...\naws_route53_record.a: Creation complete after 4s\n');
    await apply.finish('finished', { 'resource-additions': 3, 'resource-changes': 1, 'resource-destructions': 2 });
    const failed = await agents.run(id, {
      ...{ message: 'x'.repeat(90), 'plan-only': true },
      variables: [{ key: 'size', value: '3' }],
      'target-addrs': ['aws_instance.a'],
    });
    const broken = await agents.take();
    await broken.say('\u001b[31mError: Unsupported argument\u001b[0m\n');
    await broken.finish('failed', { exit: 1 });
    const waiting = await agents.run(id);
    const made = await agents.take();
    await made.say(SAID);
    await made.handIn(PLAN);
    await made.finish('finished', PLANNED);
    const queued = await agents.run(id, { message: 'behind it' });
    const guarded = await agents.workspace('guarded');
    const [owners] = (await on.server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    await on.server.user('POST', `/api/v2/workspaces/${guarded}/approval-rules`, {
      data: {
        type: 'approval-rules',
        attributes: { name: 'n'.repeat(90), 'required-approvals': 2, 'requester-may-approve': true },
        relationships: { teams: { data: [{ type: 'teams', id: owners.id }] } },
      },
    });
    const approved = await agents.run(guarded);
    const guardedPlan = await agents.take();
    await guardedPlan.handIn(PLAN);
    await guardedPlan.finish('finished', PLANNED);
    await on.server.user('POST', `/api/v2/runs/${approved}/actions/apply`, { comment: 'c'.repeat(200) });
    return [
      `/acme/workspaces/guarded/runs/${approved}`,
      '/acme/runs',
      '/acme/runs?status=errored&search=nothing',
      '/acme/workspaces/network/runs',
      place(applied),
      place(applied, '?part=plan&show=log#L12'),
      place(applied, '?part=history'),
      place(failed, '?part=history'),
      place(waiting),
      place(queued),
    ];
  },
};

export default pages;
