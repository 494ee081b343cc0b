import { AppError } from '../../lib/errors.ts';
import type { Acl } from '../acl/index.ts';
import { type FixedMount, NON_AUTH_MOUNTS, TOKEN_MOUNT } from '../model/fixed-mounts.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { answersData } from '../operation/answer.ts';
import type { OpenCall, Operation } from '../operation/operation.ts';
import { MountAtPath, VisibleMounts } from './mount-answers.ts';
import { briefEntry, mountEntry } from './mount-view.ts';
import type { Mounts } from './mounts.ts';

/** A mount with the data that decides whether it is listed. */
interface Listed {
  /** Full path, such as `auth/cert`. */
  readonly prefix: string;
  /** Key in its list, such as `cert/`. */
  readonly name: string;
  /** Fields for callers without a token. */
  readonly brief: Record<string, unknown>;
  readonly entry: Record<string, unknown>;
  readonly unauthenticated: boolean;
}

/** Returns the ACL of the request's token, or undefined without a valid one. */
type AclOf = (call: OpenCall) => Promise<Acl | undefined>;

const FIXED = [TOKEN_MOUNT, ...NON_AUTH_MOUNTS];

/**
 * `internal/ui/mounts`, for login pages and for the `bao` and `vault` clients, which read it before other requests.
 * Without a token it lists only mounts tuned for it; with a token, the mounts below which the caller has any
 * capability.
 */
export function visibleMountOperations(
  { service, table }: Mounts,
  aclOf: AclOf,
  version: string,
): readonly Operation[] {
  const fixed = FIXED.map((mount) => listedFixed(mount, version));
  const all = async () => [...fixed, ...(await service.all()).map((mount) => listed(mount, version))];
  const at = async (path: string): Promise<Listed | undefined> => {
    const known = fixed.find(({ prefix }) => `${path}/`.startsWith(`${prefix}/`));
    if (known || !path.startsWith('auth/')) return known;
    const found = await table.mountAt(path.slice('auth/'.length));
    return found && listed(found.mount, version);
  };
  const refused = (): AppError =>
    new AppError(
      'forbidden',
      "preflight capability check returned 403, please ensure client's policies grant access to path",
    );
  return [
    {
      path: 'internal/ui/mounts',
      verb: 'read',
      access: 'anyone',
      id: 'internal-ui-list-enabled-visible-mounts',
      summary: 'List the mounts that are visible to the caller',
      answers: answersData(VisibleMounts),
      async handle(call) {
        const acl = await aclOf(call);
        const shown = (await all()).filter((one) => one.unauthenticated || acl?.givesBelow(one.prefix));
        return { data: { auth: section(shown, true, acl), secret: section(shown, false, acl) } };
      },
    },
    {
      path: 'internal/ui/mounts/*path',
      verb: 'read',
      access: 'anyone',
      id: 'internal-ui-read-mount-information',
      summary: 'Read the mount of a path',
      answers: answersData(MountAtPath),
      parameters: { path: 'Any path.' },
      async handle(call) {
        const acl = await aclOf(call);
        const found = acl && (await at(call.params.path ?? ''));
        if (!found || !acl.givesBelow(found.prefix)) throw refused();
        return { data: { ...found.entry, path: found.name } };
      },
    },
  ];
}

function listedFixed({ prefix, ...mount }: FixedMount, version: string): Listed {
  const shown = { ...mount, id: mount.accessor, tuning: INITIAL_TUNING, flags: INITIAL_FLAGS };
  const [brief, entry] = [briefEntry(shown), mountEntry(shown, version)];
  return { prefix, name: nameOf(prefix), brief, entry, unauthenticated: false };
}

function listed(mount: Mount, version: string): Listed {
  return {
    prefix: `auth/${mount.path}`,
    name: `${mount.path}/`,
    brief: briefEntry(mount),
    entry: mountEntry(mount, version),
    unauthenticated: mount.tuning.listing_visibility === 'unauth',
  };
}

const nameOf = (prefix: string): string => `${prefix.replace(/^auth\//, '')}/`;

function section(shown: readonly Listed[], auth: boolean, acl: Acl | undefined): Record<string, unknown> {
  const entries = shown
    .filter(({ prefix }) => prefix.startsWith('auth/') === auth)
    .map(({ name, brief, entry }) => [name, acl ? entry : brief]);
  return Object.fromEntries(entries);
}
