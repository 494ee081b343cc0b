import { type Resources, workspaces } from '../../api/client.ts';

/** Notification of any scope. */
export type Notification = Resources['notification-configurations'];

/** Owner of notifications. */
export interface Scope {
  readonly type: 'workspaces' | 'projects' | 'teams' | 'organizations';
  /** ID; the name of an organization. */
  readonly id: string;
  /** Organization, whose members may be recipients. */
  readonly organization: string;
}

const query = { 'page[size]': '100' };

/** Returns the query of the notifications of a scope. It has at most 20, so one page contains all. */
export function queryOf({ type, id }: Scope) {
  if (type === 'workspaces') {
    return workspaces.query('GET /workspaces/{workspace_id}/notification-configurations', {
      path: { workspace_id: id },
      query,
    });
  }
  if (type === 'projects') {
    return workspaces.query('GET /projects/{project_id}/notification-configurations', {
      path: { project_id: id },
      query,
    });
  }
  if (type === 'teams') {
    return workspaces.query('GET /teams/{team_id}/notification-configurations', { path: { team_id: id }, query });
  }
  return workspaces.query('GET /organizations/{organization_name}/notification-configurations', {
    path: { organization_name: id },
    query,
  });
}

type Body = NonNullable<
  Parameters<typeof workspaces.send<'POST /workspaces/{workspace_id}/notification-configurations'>>[1]['body']
>;

/** Creates a notification in a scope. */
export function create({ type, id }: Scope, body: Body): Promise<unknown> {
  if (type === 'workspaces') {
    return workspaces.send('POST /workspaces/{workspace_id}/notification-configurations', {
      path: { workspace_id: id },
      body,
    });
  }
  if (type === 'projects') {
    return workspaces.send('POST /projects/{project_id}/notification-configurations', {
      path: { project_id: id },
      body,
    });
  }
  if (type === 'teams') {
    return workspaces.send('POST /teams/{team_id}/notification-configurations', { path: { team_id: id }, body });
  }
  return workspaces.send('POST /organizations/{organization_name}/notification-configurations', {
    path: { organization_name: id },
    body,
  });
}
