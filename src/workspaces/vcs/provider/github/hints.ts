import Type from 'typebox';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Hint } from '../port.ts';
import { linkUrl } from '../text.ts';
import { userOf, userSchema } from './sender.ts';

const id = Type.Integer({ minimum: 0 });
const ref = Type.String({ minLength: 1, maxLength: 1024 });
const commit = Type.String({ pattern: '^[0-9a-f]{40}$' });
const repository = Type.Object({ id });
const sender = Type.Optional(userSchema);

const readPush = reader(
  'push',
  Type.Object({
    ref,
    before: commit,
    after: commit,
    repository,
    sender,
    compare: optionalText,
    compare_url: optionalText,
  }),
);
const readDeletion = reader('deletion', Type.Object({ ref, ref_type: Type.String(), repository, sender }));
const readPull = reader(
  'pull request event',
  Type.Object({ action: Type.String(), number: Type.Integer({ minimum: 1 }), repository, sender }),
);
const readRepository = reader('repository event', Type.Object({ repository }));
const repositories = optional(Type.Array(repository));
const readInstallation = reader(
  'installation event',
  Type.Object({
    installation: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    ...{ repositories, repositories_added: repositories, repositories_removed: repositories },
  }),
);

const ZERO = '0'.repeat(40);
/** Actions of a pull request after which it may need a run, or no run any more. */
const PULL_ACTIONS: ReadonlySet<string> = new Set([
  ...['opened', 'reopened', 'edited', 'closed', 'synchronize', 'synchronized'],
  ...['ready_for_review', 'converted_to_draft'],
]);

/** Reads the hints of one kind of event. */
const READERS: Readonly<Record<string, (members: unknown) => readonly Hint[]>> = {
  push: pushHints,
  delete: deletionHints,
  pull_request: pullHints,
  repository: repositoryHints,
  public: repositoryHints,
  installation: installationHints,
  installation_repositories: installationHints,
  installation_target: installationHints,
};

const WANTED: ReadonlySet<string> = new Set([
  ...['ref', 'ref_type', 'before', 'after', 'compare', 'compare_url', 'repository', 'sender', 'action', 'number'],
  ...['installation', 'repositories', 'repositories_added', 'repositories_removed'],
]);

/** Reads a delivery. @throws ProviderError `invalid` */
export function hintsOf(event: string, body: Uint8Array): readonly Hint[] {
  const read = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
  return read ? read(deliveryMembers(body, WANTED)) : [];
}

function pushHints(members: unknown): readonly Hint[] {
  const { ref, before, after, repository, sender, compare, compare_url } = readPush(members);
  return [
    {
      ...{ kind: 'push', repositoryId: String(repository.id), ref },
      ...{ before: before === ZERO ? null : before, after: after === ZERO ? null : after },
      ...{ sender: userOf(sender), compareUrl: linkUrl(compare ?? compare_url) },
    },
  ];
}

/** Gitea sends no push for a deleted branch. */
function deletionHints(members: unknown): readonly Hint[] {
  const { ref, ref_type, repository, sender } = readDeletion(members);
  const prefix = ref_type === 'tag' ? 'refs/tags/' : 'refs/heads/';
  return [
    {
      ...{ kind: 'push', repositoryId: String(repository.id), ref: prefix + ref, before: null, after: null },
      ...{ sender: userOf(sender), compareUrl: null },
    },
  ];
}

function pullHints(members: unknown): readonly Hint[] {
  const { action, number, repository, sender } = readPull(members);
  if (!PULL_ACTIONS.has(action)) return [];
  return [{ kind: 'pull', repositoryId: String(repository.id), number, sender: userOf(sender) }];
}

function repositoryHints(members: unknown): readonly Hint[] {
  return [{ kind: 'repository', repositoryId: String(readRepository(members).repository.id) }];
}

/** The access of an App to repositories has changed. */
function installationHints(members: unknown): readonly Hint[] {
  const { installation, repositories, repositories_added, repositories_removed } = readInstallation(members);
  const all = [repositories, repositories_added, repositories_removed].flatMap((list) => list ?? []);
  return [
    { kind: 'installation', installationId: installation.id },
    ...all.map(({ id }) => ({ kind: 'repository' as const, repositoryId: String(id) })),
  ];
}
