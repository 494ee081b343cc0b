import { AppError } from '../../lib/errors.ts';
import { answersData } from '../api/answer.ts';
import type { OpenCall, Operation } from '../api/operation.ts';
import type { Acl } from '../policies/acl.ts';
import { type FixedMount, NON_AUTH_MOUNTS, TOKEN_MOUNT } from './fixed-mounts.ts';
import type { Methods } from './methods.ts';
import { INITIAL_TUNING, type Mount } from './mount.ts';
import { MountAtPath, VisibleMounts } from './mount-answers.ts';
import type { MountService } from './mount-service.ts';
import { briefEntry, mountEntry } from './mount-view.ts';

/** A mount and whatever is asked about it before it is shown. */
interface Listed {
  /** `auth/cert` */
  readonly prefix: string;
  /** What anybody may see. */
  readonly brief: Record<string, unknown>;
  readonly entry: Record<string, unknown>;
  readonly unauthenticated: boolean;
  /** Paths of operations below it. */
  readonly operations: readonly string[];
}

/**
 * `internal/ui/mounts`: what a login page offers, and where a command line looks before it does anything. Without a token only
 * what was tuned to be shown.
 * @param aclOf policies of the token that came with a call; undefined when there was none that is worth anything
 */
export function interfaceOperations(
  mounts: MountService,
  methods: Methods,
  aclOf: (call: OpenCall) => Promise<Acl | undefined>,
  version: string,
): readonly Operation[] {
  const fixed = [TOKEN_MOUNT, ...NON_AUTH_MOUNTS].map((mount) => listedFixed(mount, version));
  const all = async () => [...fixed, ...(await mounts.all()).map((mount) => listed(mount, methods, version))];
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
      summary: 'List the mounts that the caller may know of',
      answers: answersData(VisibleMounts),
      async handle(call) {
        const acl = await aclOf(call);
        const shown = (await all()).filter((one) => mayKnow(one, acl));
        return { data: { auth: section(shown, true, acl), secret: section(shown, false, acl) } };
      },
    },
    {
      path: 'internal/ui/mounts/*path',
      verb: 'read',
      access: 'anyone',
      id: 'internal-ui-read-mount-information',
      summary: 'Read the mount that a path lies under',
      answers: answersData(MountAtPath),
      parameters: { path: 'Any path.' },
      async handle(call) {
        const acl = await aclOf(call);
        const path = `${call.params.path}/`;
        const found = acl && (await all()).find(({ prefix }) => path.startsWith(`${prefix}/`));
        if (!found || !mayKnow(found, acl)) throw refused();
        return { data: { ...found.entry, path: `${found.prefix}/` } };
      },
    },
  ];
}

function listedFixed({ prefix, ...mount }: FixedMount, version: string): Listed {
  const shown = { ...mount, id: mount.accessor, tuning: INITIAL_TUNING };
  const [brief, entry] = [briefEntry(shown), mountEntry(shown, version)];
  return { prefix, brief, entry, unauthenticated: false, operations: [] };
}

function listed(mount: Mount, methods: Methods, version: string): Listed {
  return {
    prefix: `auth/${mount.path}`,
    brief: briefEntry(mount),
    entry: mountEntry(mount, version),
    unauthenticated: mount.tuning.listing_visibility === 'unauth',
    operations: methods.of(mount).operations.map(({ path }) => path),
  };
}

/** With a token: whoever may do anything below a mount. */
function mayKnow({ prefix, unauthenticated, operations }: Listed, acl: Acl | undefined): boolean {
  if (unauthenticated || acl?.isRoot) return true;
  if (!acl) return false;
  return ['', '/', ...operations.map((path) => `/${path}`)].some(
    (rest) => acl.capabilities(prefix + rest)[0] !== 'deny',
  );
}

function section(shown: readonly Listed[], auth: boolean, acl: Acl | undefined): Record<string, unknown> {
  const entries = shown
    .filter(({ prefix }) => prefix.startsWith('auth/') === auth)
    .map(({ prefix, brief, entry }) => [`${prefix.replace(/^auth\//, '')}/`, acl ? entry : brief]);
  return Object.fromEntries(entries);
}
