import { type Lives, lists, opens, resource, tokenAt, workspacePath } from './world.ts';

/** Dependents of agents, run triggers and notification configurations. */
export const EXECUTION_LIVES: Lives = {
  'DELETE /agent-pools/:agent_pool_id': async (world) => {
    const { api, acme, values } = world;
    const token = await tokenAt(world, `/agent-pools/${values.agent_pool_id}/authentication-tokens`);
    return {
      token: async () => {
        const agents = `/agent-pools/${values.agent_pool_id}/agents`;
        return (await token.holder.call('POST', agents, resource('agents', { name: 'new' }))).status === 201;
      },
      'token of an agent': opens(api.holder(values.agent_token ?? ''), `/agents/${values.agent_id}`),
      agent: opens(acme.owner, `/agents/${values.agent_id}`),
      'the token on its own': opens(acme.owner, `/authentication-tokens/${token.id}`),
    };
  },
  'DELETE /agents/:agent_id': async ({ api, acme, values }) => {
    const agent = api.holder(values.agent_token ?? '');
    const own = { 'agent-id': values.agent_id ?? '' };
    await agent.call('PATCH', `/agents/${values.agent_id}`, resource('agents', { status: 'exited' }), own);
    return {
      agent: opens(acme.owner, `/agents/${values.agent_id}`),
      'agent of the pool': lists(acme.owner, `/agent-pools/${values.agent_pool_id}/agents`, values.agent_id ?? ''),
    };
  },
  'DELETE /tasks/:task_id': async (world) => {
    const { task_id: id = '', workspace_task_id: attached } = world.values;
    return {
      task: opens(world.acme.owner, `/tasks/${id}`),
      'task of the organization': lists(world.acme.owner, `/organizations/${world.acme.name}/tasks`, id),
      'task of a workspace': opens(world.acme.owner, `${workspacePath(world)}/tasks/${attached}`),
    };
  },
  'DELETE /workspaces/:workspace_id/tasks/:workspace_task_id': async (world) => {
    const { workspace_task_id: id = '' } = world.values;
    const tasks = `${workspacePath(world)}/tasks`;
    return { task: opens(world.acme.owner, `${tasks}/${id}`), 'task of the list': lists(world.acme.owner, tasks, id) };
  },
  'DELETE /organizations/:organization_name/explorer/views/:view_id': async ({ acme, values }) => {
    const { view_id: id = '' } = values;
    const views = `/organizations/${acme.name}/explorer/views`;
    return {
      view: opens(acme.owner, `${views}/${id}`),
      'its results': opens(acme.owner, `${views}/${id}/results`),
      'view of the organization': lists(acme.owner, views, id),
    };
  },
  'DELETE /run-triggers/:id': async (world) => {
    const { run_trigger_id: id = '', other_workspace_id: target } = world.values;
    const inbound = `/workspaces/${target}/run-triggers?filter[run-trigger][type]=inbound`;
    const outbound = `${workspacePath(world)}/run-triggers?filter[run-trigger][type]=outbound`;
    return {
      trigger: opens(world.acme.owner, `/run-triggers/${id}`),
      'trigger of its target': lists(world.acme.owner, inbound, id),
      'trigger of its source': lists(world.acme.owner, outbound, id),
    };
  },
  'DELETE /schedules/:schedule_id': async (world) => {
    const { schedule_id: id = '' } = world.values;
    return {
      schedule: opens(world.acme.owner, `/schedules/${id}`),
      'outcomes of the schedule': opens(world.acme.owner, `/schedules/${id}/outcomes`),
      'schedule of the workspace': lists(world.acme.owner, `${workspacePath(world)}/schedules`, id),
    };
  },
  'DELETE /schedules/:schedule_id/relationships/excluded-workspaces': async (world) => {
    const { project_schedule_id: id = '', workspace_id: workspace = '' } = world.values;
    world.use({ schedule_id: id });
    const data = [{ type: 'workspaces', id: workspace }];
    await world.acme.owner.call('POST', `/schedules/${id}/relationships/excluded-workspaces`, { data });
    return {
      exclusion: async () => {
        const { body } = await world.acme.owner.call('GET', `${workspacePath(world)}/schedules`);
        return body.data.some(({ attributes }: { attributes: { excluded: boolean } }) => attributes.excluded);
      },
    };
  },
  'DELETE /approval-rules/:approval_rule_id': async (world) => {
    const { approval_rule_id: id = '' } = world.values;
    return {
      rule: opens(world.acme.owner, `/approval-rules/${id}`),
      'rule of the workspace': lists(world.acme.owner, `${workspacePath(world)}/approval-rules`, id),
    };
  },
  'DELETE /notification-configurations/:notification_configuration_id': async (world) => {
    const { notification_configuration_id: id = '' } = world.values;
    return {
      configuration: opens(world.acme.owner, `/notification-configurations/${id}`),
      'configuration of the workspace': lists(
        world.acme.owner,
        `${workspacePath(world)}/notification-configurations`,
        id,
      ),
    };
  },
};
