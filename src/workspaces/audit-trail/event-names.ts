/** Name of an event in the audit trail: the type of its resource, and the action. */
export interface EventName {
  readonly type: string;
  readonly action: string;
}

type Exceptions = Readonly<Record<string, readonly [type: string, action: string] | null>>;

/** Downloads, which are recorded although they change nothing. */
const READS: Exceptions = {
  'GET /state-versions/:state_version_id/download': ['state_version', 'download'],
  'GET /state-versions/:state_version_id/json-download': ['state_version', 'download'],
  'GET /configuration-versions/:id/download': ['configuration_version', 'download'],
};

/** Requests without an event: they change nothing relevant, or repeat another event. */
const SILENT = [
  // Progress of a job. The requests that start, confirm and cancel a run have events.
  ...['POST /agents/:agent_id/actions/claim', 'PATCH /agents/:agent_id', 'POST /jobs/:job_id/actions/start'],
  'POST /agents/:agent_id/actions/claim-forwarded-request',
  'POST /agents/:agent_id/forwarded-requests/:request_id/actions/respond',
  ...['POST /jobs/:job_id/actions/heartbeat', 'POST /jobs/:job_id/actions/finish', 'PATCH /jobs/:job_id/log'],
  ...['POST /plans/:id/actions/append-log', 'POST /applies/:id/actions/append-log', 'PUT /applies/:id/errored-state'],
  ...['PUT /plans/:id/folder', 'PUT /plans/:id/json-output', 'PUT /plans/:id/json-output-redacted'],
  ...['PUT /plans/:id/provider-schemas'],
  // Uploads to a signed URL have no event, because the request that created the resource has one.
  ...['PUT /configuration-uploads/:link', 'PUT /state-versions/:state_version_id/upload'],
  'PUT /state-versions/:state_version_id/json-upload',
  // Results that run task services report.
  'PATCH /task-results/:task_result_id/callback',
  // Requests that only read data (queries).
  ...[
    'POST /teams/:team_id/pipeline-explanation',
    'POST /organizations/:organization_name/vcs/preview',
    'POST /workspaces/:workspace_id/vcs-preview',
    'POST /organizations/:organization_name/sign-in-provider/actions/check',
  ],
];

/** Requests outside of any organization: accounts, sessions and the server itself. The audit log contains them. */
const OF_NONE = /^\w+ \/(?:account|admin|passkeys|sessions|users)\b/;

/** Events whose name in HCP Terraform differs from the rule. */
const OTHERS: Exceptions = {
  ...READS,
  ...Object.fromEntries(SILENT.map((route) => [route, null])),
  'POST /invitation-links/actions/accept': ['organization_user', 'accept'],
  'POST /invitation-links/actions/decline': ['organization_user', 'decline'],
  'POST /runs/:run_id/comments': ['workspace_comment', 'create'],
  'POST /team-projects': ['project', 'add_team'],
  'PATCH /team-projects/:team_project_id': ['project', 'update_team_permissions'],
  'DELETE /team-projects/:team_project_id': ['project', 'remove_team'],
  'POST /team-workspaces': ['workspace', 'add_team'],
  'PATCH /team-workspaces/:team_workspace_id': ['workspace', 'update_team_permissions'],
  'DELETE /team-workspaces/:team_workspace_id': ['workspace', 'remove_team'],
  'POST /workspaces/:workspace_id/tasks': ['workspace_task', 'create'],
  'PATCH /workspaces/:workspace_id/tasks/:workspace_task_id': ['workspace_task', 'update'],
  'DELETE /workspaces/:workspace_id/tasks/:workspace_task_id': ['workspace_task', 'destroy'],
  'POST /varsets/:varset_id/relationships/vars': ['var', 'create'],
  'PATCH /projects/:project_id/tag-bindings': ['project', 'update_tag_bindings'],
  'PATCH /workspaces/:workspace_id/tag-bindings': ['workspace', 'update_tag_bindings'],
  'PATCH /workspaces/:workspace_id/state-versions': ['state_version', 'rollback'],
};

/** Resource types whose name in paths differs from their name in events, in the singular. */
const TYPES: Readonly<Record<string, string>> = {
  organization_membership: 'organization_user',
  reserved_tag: 'reserved_tag_key',
  view: 'explorer_view',
};

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'destroy' };
const CHANGES_OF_MANY: Readonly<Record<string, string>> = { POST: 'add', PATCH: 'update', DELETE: 'remove' };
const RELATED: Readonly<Record<string, string>> = { users: 'member', 'organization-memberships': 'member' };

/**
 * Returns the event of a route; undefined if it has none. The names are those of HCP Terraform, if it has one.
 * @param path `/workspaces/:workspace_id/actions/lock`, below the prefix of the API
 */
export function eventName(method: string, path: string): EventName | undefined {
  const route = `${method} ${path}`;
  const exception = OTHERS[route];
  if (exception !== undefined) return exception === null ? undefined : { type: exception[0], action: exception[1] };
  return method in VERBS && !OF_NONE.test(route) ? byRule(method, path) : undefined;
}

function byRule(method: string, path: string): EventName {
  const fixed = path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  const [kind = '', group = '', name = ''] = [fixed.at(-3), fixed.at(-2), fixed.at(-1)];
  if (group === 'actions') return { type: typeOf(kind), action: words(name) };
  if (group === 'relationships' && path.endsWith(name) && name !== 'data-retention-policy') {
    return { type: typeOf(kind), action: `${CHANGES_OF_MANY[method]}_${RELATED[name] ?? words(name)}` };
  }
  return { type: typeOf(name), action: VERBS[method] ?? '' };
}

const words = (name: string): string => name.replaceAll('-', '_');

function typeOf(collection: string): string {
  const type = words(collection).replace(/ies$/, 'y').replace(/s$/, '');
  return TYPES[type] ?? type;
}
