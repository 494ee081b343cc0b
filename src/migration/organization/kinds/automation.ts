import { type Resource, relatedIds } from '../../connection/pages.ts';
import type { Json } from '../../model/item.ts';
import { attributeName, type Kind, type Names, ofOrganization, ofOwner, oneOf } from './kind.ts';

const runTriggers: Kind = {
  name: 'run-triggers',
  words: 'run trigger of workspace',
  type: 'run-triggers',
  owner: 'workspaces',
  path: ({ ownerId }) => `/api/v2/workspaces/${ownerId}/run-triggers?filter[run-trigger][type]=inbound`,
  onePath: oneOf('run-triggers'),
  nameOf: (resource, names) => names.nameOf('workspaces', relatedIds(resource, 'sourceable')[0] ?? ''),
  attributes: [],
  links: { sourceable: { kind: 'workspaces', type: 'workspaces', isRequired: true } },
};

const consumers: Kind = {
  name: 'remote-state-consumers',
  words: 'remote state consumer of workspace',
  type: 'workspaces',
  owner: 'workspaces',
  // The list of such a workspace has all others, and the server accepts no choice.
  isOwner: (workspace) => workspace['global-remote-state'] !== true,
  path: ofOwner('workspaces', 'relationships/remote-state-consumers'),
  onePath: oneOf('workspaces'),
  nameOf: (resource, names) => names.nameOf('workspaces', resource.id),
  attributes: [],
  links: { consumer: { kind: 'workspaces', type: 'workspaces', isRequired: true, idsOf: ({ id }) => [id] } },
  body: (_item, { consumer = [] }) => ({ data: consumer.map((id) => ({ type: 'workspaces', id })) }),
};

const notificationPath: Readonly<Record<string, Kind['path']>> = {
  workspaces: ofOwner('workspaces', 'notification-configurations'),
  projects: ofOwner('projects', 'notification-configurations'),
  teams: ofOwner('teams', 'notification-configurations'),
  organizations: ofOrganization('notification-configurations'),
};

/** Recipients of an email are users of the other server, so only addresses are taken. */
const notifications = (owner: 'workspaces' | 'projects' | 'teams' | 'organizations', name: string): Kind => ({
  name,
  words: 'notification',
  type: 'notification-configurations',
  ...(owner === 'organizations' ? { isOurs: true } : { owner }),
  path: notificationPath[owner] as Kind['path'],
  onePath: oneOf('notification-configurations'),
  nameOf: attributeName(),
  attributes: ['name', 'destination-type', 'url', 'triggers', 'enabled', 'email-addresses', 'digest'],
  fallback: { attributes: { enabled: false }, nextStep: 'it is disabled now; enable it when its receiver answers' },
});

/** Configurations of levels above are in the list of a workspace, too. */
const isOwn = ({ attributes }: Resource): boolean => attributes.inherited !== true;

const schedules = (owner: 'workspaces' | 'projects', name: string): Kind => ({
  name,
  words: 'schedule',
  type: 'schedules',
  owner,
  path: ofOwner(owner, 'schedules'),
  onePath: oneOf('schedules'),
  nameOf: (resource) => (isOwn(resource) ? attributeName()(resource) : undefined),
  attributes: ['name', 'operation', 'cron', 'time-zone', 'jitter', 'when-busy', 'paused'],
  prepare: pausedFirst,
});

/** Creates a schedule paused, unless the source says otherwise. Only a creation has the name. */
const pausedFirst = (attributes: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  'name' in attributes && !('paused' in attributes) ? { ...attributes, paused: true } : attributes;

const approvalRules = (owner: 'workspaces' | 'projects', name: string): Kind => ({
  name,
  words: 'approval rule',
  type: 'approval-rules',
  owner,
  path: ofOwner(owner, 'approval-rules'),
  onePath: oneOf('approval-rules'),
  nameOf: (resource) => (relatedIds(resource, owner.slice(0, -1)).length > 0 ? attributeName()(resource) : undefined),
  attributes: ['name', 'operations', 'requester-may-approve', 'required-approvals'],
  links: { teams: { kind: 'teams', type: 'teams', isMany: true } },
});

const taskName = (resource: Resource, names: Names): string | undefined =>
  names.nameOf('run-tasks', relatedIds(resource, 'task')[0] ?? '');

const workspaceTasks: Kind = {
  name: 'workspace-tasks',
  words: 'run task of workspace',
  type: 'workspace-tasks',
  owner: 'workspaces',
  path: ofOwner('workspaces', 'tasks'),
  onePath: (id, { ownerId }) => `/api/v2/workspaces/${ownerId}/tasks/${id}`,
  nameOf: taskName,
  attributes: ['enforcement-level', 'stages'],
  links: { task: { kind: 'run-tasks', type: 'tasks', isRequired: true } },
};

export const AUTOMATION: readonly Kind[] = [
  runTriggers,
  consumers,
  notifications('organizations', 'organization-notifications'),
  notifications('projects', 'project-notifications'),
  notifications('teams', 'team-notifications'),
  notifications('workspaces', 'notifications'),
  workspaceTasks,
  schedules('projects', 'project-schedules'),
  schedules('workspaces', 'schedules'),
  approvalRules('projects', 'project-approval-rules'),
  approvalRules('workspaces', 'approval-rules'),
];
