import { runsOf } from '../runs.ts';
import { atAddress, stateText, worker } from '../states.ts';
import { workspaceTask } from '../surface/bodies.ts';
import { type Life, lists, made, opens, organizationPath, resource, type World } from './world.ts';

/** A workspace with a run, a state, and signed URLs of both. */
export async function fullWorkspace(world: World): Promise<Life> {
  const { api, acme, values } = world;
  const { other_workspace_id: id = '', run_id: run, plan_id: plan, run_trigger_id: trigger } = values;
  world.use({ workspace_id: id, workspace_name: 'other' });
  const path = `/workspaces/${id}`;
  const at = worker(api, acme.owner, id);
  await at.lock();
  const state = await at.write(stateText(1), { serial: 1 });
  await at.unlock();
  const { id: variable } = await made(world, `${path}/vars`, resource('vars', { key: 'a', category: 'env' }));
  const told = { name: 'a', 'destination-type': 'generic', url: 'https://receiver.example.com', enabled: false };
  const configuration = resource('notification-configurations', told);
  const { id: notification } = await made(world, `${path}/notification-configurations`, configuration);
  const { id: task } = await made(world, `${path}/tasks`, workspaceTask({ task_id: values.task_id ?? '' }));
  const teams = { teams: { data: [{ type: 'teams', id: values.team_id ?? '' }] } };
  const { id: rule } = await made(world, `${path}/approval-rules`, resource('approval-rules', { name: 'a' }, teams));
  const log = (await acme.owner.call('GET', `/plans/${plan}`)).body.data.attributes['log-read-url'];
  const runs = runsOf(api, acme);
  // Each configuration version takes one archive.
  const uploads = [await runs.configuration(id), await runs.configuration(id)];
  return {
    workspace: opens(acme.owner, path),
    'its name': opens(acme.owner, `${organizationPath(world)}/workspaces/other`),
    run: opens(acme.owner, `/runs/${run}`),
    plan: opens(acme.owner, `/plans/${plan}`),
    'log at its address': async () => (await atAddress(api, 'GET', log)).status === 200,
    state: opens(acme.owner, `/state-versions/${state.id}`),
    'state with a token': opens(acme.owner, `/state-versions/${state.id}/download`),
    'state at its address': async () =>
      (await atAddress(api, 'GET', state.attributes['hosted-state-download-url'])).status === 200,
    'archive at its address': async () => (await runs.put(uploads.shift()?.url ?? '', 'archive')).statusCode === 200,
    configuration: opens(acme.owner, `/configuration-versions/${uploads[0]?.id}`),
    variable: opens(acme.owner, `${path}/vars/${variable}`),
    notification: opens(acme.owner, `/notification-configurations/${notification}`),
    'approval rule': opens(acme.owner, `/approval-rules/${rule}`),
    'run task': opens(acme.owner, `${path}/tasks/${task}`),
    trigger: opens(acme.owner, `/run-triggers/${trigger}`),
    'run of the organization': lists(acme.owner, `${organizationPath(world)}/runs`, run ?? ''),
  };
}
