import type { Connection } from '../../connection/connection.ts';
import { allPages, type Resource, textIn } from '../../connection/pages.ts';
import type { Json } from '../../model/item.ts';
import { attributeName, type Changes, type Kind, ofOrganization, oneOf } from './kind.ts';

const TAGS = 'tag-bindings';

const tagsOf =
  (list: string) =>
  async (connection: Connection, { id }: Resource): Promise<Readonly<Record<string, Json>>> => {
    const { data } = await allPages(connection, `/api/v2/${list}/${id}/tag-bindings`);
    return { [TAGS]: Object.fromEntries(data.map((tag) => [textIn(tag, 'key'), textIn(tag, 'value')])) };
  };

async function writeTags(connection: Connection, list: string, id: string, { attributes }: Changes): Promise<void> {
  if (!(TAGS in attributes)) return;
  const data = Object.entries(attributes[TAGS] as Record<string, string>).map(([key, value]) => ({
    type: 'tag-bindings',
    attributes: { key, value },
  }));
  await connection.send('PATCH', `/api/v2/${list}/${id}/tag-bindings`, { data });
}

const projects: Kind = {
  name: 'projects',
  words: 'project',
  type: 'projects',
  path: ofOrganization('projects'),
  onePath: oneOf('projects'),
  nameOf: attributeName(),
  attributes: ['name', 'description', 'auto-destroy-activity-duration', 'default-execution-mode', 'setting-overwrites'],
  links: {
    'default-agent-pool': { kind: 'agent-pools', type: 'agent-pools', attribute: 'default-agent-pool-id' },
  },
  clean: (attributes) => inherited(attributes, 'default-execution-mode'),
  more: {
    attributes: [TAGS],
    read: tagsOf('projects'),
    write: (connection, id, changes) => writeTags(connection, 'projects', id, changes),
  },
};

/** Leaves out the execution mode that comes from a level above, so that it is inherited in the target, too. */
function inherited(attributes: Readonly<Record<string, Json>>, mode: string): Readonly<Record<string, Json>> {
  const { 'setting-overwrites': overwrites, ...rest } = attributes;
  if ((overwrites as Record<string, unknown> | undefined)?.[mode] !== false) return rest;
  const { [mode]: _inherited, ...own } = rest;
  return own;
}

const SETTINGS = [
  ...['allow-destroy-plan', 'assessments-enabled', 'auto-apply', 'auto-apply-run-trigger'],
  ...['auto-destroy-activity-duration', 'auto-destroy-at', 'inherits-project-auto-destroy', 'description'],
  ...['engine', 'execution-mode', 'file-triggers-enabled', 'global-remote-state', 'project-remote-state'],
  ...['queue-all-runs', 'setting-overwrites', 'source-name', 'source-url', 'speculative-enabled'],
  ...['structured-run-output-enabled', 'terraform-version', 'trigger-patterns', 'trigger-prefixes'],
  'working-directory',
];

/** Attributes of `vcs-repo` that a client sets, besides the connection. */
const REPOSITORY = ['identifier', 'branch', 'ingress-submodules', 'tags-regex'];

function cleanWorkspace(attributes: Readonly<Record<string, Json>>, resource: Resource): Record<string, Json> {
  const rest = ownAutoDestroy(inherited(attributes, 'execution-mode'));
  const repository = resource.attributes['vcs-repo'] as Record<string, Json> | null | undefined;
  const tags = resource.attributes['tag-names'];
  return {
    ...rest,
    name: textIn(resource, 'name'),
    // Servers that know only Terraform do not name the engine.
    ...(!('engine' in rest) && { engine: 'terraform' }),
    ...(Array.isArray(tags) && { 'tag-names': tags.map(String).toSorted() }),
    ...(repository && {
      'vcs-repo': Object.fromEntries(
        REPOSITORY.filter((name) => name in repository).map((name) => [name, repository[name] || null]),
      ),
    }),
  };
}

/** Leaves out the time that follows from a duration, because activity moves it, and all that the project sets. */
function ownAutoDestroy(attributes: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const { 'auto-destroy-at': at, 'auto-destroy-activity-duration': duration, ...rest } = attributes;
  if (rest['inherits-project-auto-destroy'] === true) return rest;
  if (duration !== undefined && duration !== null) return { ...rest, 'auto-destroy-activity-duration': duration };
  return attributes;
}

function tokenIds({ attributes }: Resource): readonly string[] {
  const { 'oauth-token-id': id } = (attributes['vcs-repo'] ?? {}) as { 'oauth-token-id'?: unknown };
  return typeof id === 'string' ? [id] : [];
}

/** Names the connection of the repository. Without one, the workspace follows no repository. */
function withConnection(
  attributes: Readonly<Record<string, Json>>,
  links: Changes['links'],
): Readonly<Record<string, Json>> {
  const { 'vcs-repo': repository, ...rest } = attributes;
  const [token] = links['vcs-connection'] ?? [];
  if (!repository || token === undefined) return rest;
  return { ...rest, 'vcs-repo': { ...repository, 'oauth-token-id': token } };
}

async function writeWorkspace(connection: Connection, id: string, changes: Changes): Promise<void> {
  const { attributes, links } = changes;
  await writeTags(connection, 'workspaces', id, changes);
  if ('tag-names' in attributes) {
    const data = (attributes['tag-names'] as readonly string[]).map((name) => ({ type: 'tags', attributes: { name } }));
    if (data.length > 0) await connection.send('POST', `/api/v2/workspaces/${id}/relationships/tags`, { data });
  }
  if ('ssh-key' in links) {
    const [key = null] = links['ssh-key'] ?? [];
    const body = { data: { type: 'workspaces', attributes: { id: key } } };
    await connection.send('PATCH', `/api/v2/workspaces/${id}/relationships/ssh-key`, body);
  }
}

const workspaces: Kind = {
  name: 'workspaces',
  words: 'workspace',
  type: 'workspaces',
  path: ofOrganization('workspaces'),
  onePath: oneOf('workspaces'),
  nameOf: attributeName(),
  attributes: SETTINGS,
  links: {
    // Without it the workspace would be in the default project, whose teams may be others.
    project: { kind: 'projects', type: 'projects', isRequired: true },
    'agent-pool': { kind: 'agent-pools', type: 'agent-pools', attribute: 'agent-pool-id' },
    'ssh-key': { kind: 'ssh-keys', type: 'ssh-keys', isSeparate: true },
    'vcs-connection': { kind: 'vcs-connections', type: 'oauth-tokens', isSeparate: true, idsOf: tokenIds },
  },
  clean: cleanWorkspace,
  prepare: withConnection,
  more: { attributes: [TAGS, 'tag-names'], read: tagsOf('workspaces'), write: writeWorkspace },
};

export const PROJECTS: readonly Kind[] = [projects];
export const WORKSPACES: readonly Kind[] = [workspaces];
