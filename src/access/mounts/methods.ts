import type { BackgroundTask } from '../../lib/background/background-work.ts';
import type { Mount } from '../model/mount.ts';
import { OperationRouter } from '../operation/operation-router.ts';
import type { Method, MethodCatalog } from './method.ts';

interface Running {
  readonly method: Method;
  readonly router: OperationRouter;
}

/** The methods of this process, one for each mount, created on first use. */
export class Methods {
  readonly #catalog: MethodCatalog;
  readonly #running = new Map<string, Running>();
  #started = false;

  constructor(catalog: MethodCatalog) {
    this.#catalog = catalog;
  }

  /** Types of methods that can be mounted, such as `cert` and `jwt`. */
  get types(): readonly string[] {
    return Object.keys(this.#catalog).sort();
  }

  /** Returns whether the type exists. */
  has(type: string): boolean {
    return Object.hasOwn(this.#catalog, type);
  }

  methodOf(mount: Mount): Method {
    return this.#runningMethod(mount).method;
  }

  routerOf(mount: Mount): OperationRouter {
    return this.#runningMethod(mount).router;
  }

  /** Returns the router of a method that is already running. */
  runningRouterOf({ id }: Pick<Mount, 'id'>): OperationRouter | undefined {
    return this.#running.get(id)?.router;
  }

  /**
   * Returns the cleanup of a disabled mount, without starting the method. Undefined if this version does not have the
   * type.
   */
  cleanupOf(mount: Mount): Pick<Method, 'removeBatch'> | undefined {
    return this.has(mount.type) ? this.#catalog[mount.type]?.(mount) : undefined;
  }

  /** Starts background work of these mounts' methods, and of those created later. Stops all others. */
  async start(mounts: readonly Mount[]): Promise<void> {
    if (!this.#started) for (const { method } of this.#running.values()) method.start();
    this.#started = true;
    const wanted = new Set(mounts.map(({ id }) => id));
    for (const mount of mounts) if (this.has(mount.type)) this.#runningMethod(mount);
    await Promise.all([...this.#running.keys()].filter((id) => !wanted.has(id)).map((id) => this.drop(id)));
  }

  /** Returns the background tasks of the running methods. */
  tasks(): BackgroundTask[] {
    return [...this.#running.values()].flatMap(({ method }) => method.tasks);
  }

  async stop(): Promise<void> {
    this.#started = false;
    await Promise.all([...this.#running.keys()].map((id) => this.drop(id)));
  }

  /** Stops and removes a method whose mount is gone. */
  async drop(mountId: string): Promise<void> {
    const running = this.#running.get(mountId);
    this.#running.delete(mountId);
    await running?.method.stop();
  }

  #runningMethod(mount: Mount): Running {
    const known = this.#running.get(mount.id);
    if (known) return known;
    const make = this.#catalog[mount.type];
    if (!make) throw new Error(`no method of type ${mount.type}`);
    const method = make(mount);
    const running = { method, router: new OperationRouter(method.operations) };
    this.#running.set(mount.id, running);
    if (this.#started) method.start();
    return running;
  }
}
