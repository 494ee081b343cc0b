import type { FixedMount } from '../model/fixed-mounts.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';
import type { Mounted, Mounts } from '../mounts/index.ts';
import type { Operation } from '../operation/operation.ts';
import { OperationRouter } from '../operation/operation-router.ts';
import { type PathQuestions, type Question, questionOf, spellings } from '../operation/question.ts';
import type { RequestedVerb } from '../operation/verb.ts';

/** The mount and the operations behind a path. */
export interface Located {
  readonly mount: Mount;
  readonly router: OperationRouter;
  /** Path of the operations in the OpenAPI document, such as `auth/{cert_mount_path}`. */
  readonly surface: string;
  /** Path below the mount. */
  readonly rest: string;
}

/** Path prefix of the mounts. */
const MOUNTED = 'auth/';

/** Mount types that are aliases of a method. */
const SAME_AS: Readonly<Record<string, string>> = { oidc: 'jwt' };

type Fixed = Omit<Located, 'rest' | 'surface'> & { readonly prefix: string };

/** All targets of a path in the access API: fixed mounts, and the mounts below `auth/`. */
export class Backends implements PathQuestions {
  readonly #fixed: Fixed[] = [];
  readonly #mounts: Mounts;

  constructor(mounts: Mounts) {
    this.#mounts = mounts;
  }

  /** Adds a fixed mount with its operations. Its paths do not exist before. */
  place(at: FixedMount, operations: readonly Operation[]): void {
    this.#fixed.push({ prefix: at.prefix, mount: asMount(at), router: new OperationRouter(operations) });
  }

  async questionOf(path: string, verb: RequestedVerb): Promise<Question | 'open' | undefined> {
    const located = await this.locate(path);
    const match = located?.router.match(located.rest);
    const operation = match?.operations.get(verb);
    if (!match || !operation) return undefined;
    return operation.access === 'anyone' ? 'open' : questionOf(operation, verb, path, match.params);
  }

  async spellingsOf(path: string): Promise<readonly string[]> {
    const located = await this.locate(path);
    const match = located?.router.match(located.rest);
    for (const operation of match?.operations.values() ?? []) {
      if (match && 'canonical' in operation) return spellings(path, operation, match.params);
    }
    return [path];
  }

  async locate(path: string): Promise<Located | undefined> {
    if (!path.startsWith(MOUNTED)) return this.#locateFixed(path);
    const fixed = this.#locateFixed(path);
    if (fixed) return fixed;
    const found = await this.#mounts.table.mountAt(path.slice(MOUNTED.length));
    return found && below(found, this.#mounts.methods.routerOf(found.mount));
  }

  /** Finds the target of a path in this node's cache, without a query and without starting a method. */
  recall(path: string): Located | undefined {
    const found = path.startsWith(MOUNTED) ? this.#mounts.table.recall(path.slice(MOUNTED.length)) : undefined;
    if (!found || this.#locateFixed(path)) return undefined;
    const router = this.#mounts.methods.runningRouterOf(found.mount);
    return router && below(found, router);
  }

  #locateFixed(path: string): Located | undefined {
    for (const { prefix, mount, router } of this.#fixed) {
      if (path === prefix || path.startsWith(`${prefix}/`))
        return { mount, router, surface: prefix, rest: path.slice(prefix.length + 1) };
    }
    return undefined;
  }
}

function below(found: Mounted, router: OperationRouter): Located {
  const { type } = found.mount;
  return { ...found, surface: `auth/{${SAME_AS[type] ?? type}_mount_path}`, router };
}

function asMount({ prefix, type, accessor, description }: FixedMount): Mount {
  const path = prefix.replace(/^auth\//, '');
  return {
    id: accessor,
    path,
    type,
    accessor,
    description,
    tuning: INITIAL_TUNING,
    flags: INITIAL_FLAGS,
    version: 0,
    intermediates: 0,
    config: '{}',
  };
}
