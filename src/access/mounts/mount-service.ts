import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { timeOrderedId } from '../../lib/ids.ts';
import { INITIAL_TUNING, type Mount } from '../model/mount.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import type { Methods } from './methods.ts';
import { newMountAccessor } from './mount-accessor.ts';
import { mountPath } from './mount-path.ts';
import type { MountStore, Move } from './mount-store.ts';
import { description, mergeTuning, mountFlags, section } from './tuning.ts';

type Body = Readonly<Record<string, unknown>>;

/** The path below `auth/` of the fixed token store. */
const TOKEN = 'token';

export interface MountServiceDependencies {
  readonly store: MountStore;
  readonly methods: Methods;
  /** Server-wide limits, for mounts without their own. */
  readonly limits: TtlLimits;
  readonly clock: Clock;
  /** Called after a mount was enabled, moved or disabled, so that background work starts or stops. */
  readonly changed: () => void;
}

/** Management of the mounts below `auth/`. Paths may have a trailing slash. */
export class MountService {
  readonly limits: TtlLimits;
  readonly #store: MountStore;
  readonly #methods: Methods;
  readonly #clock: Clock;
  readonly #changed: () => void;

  constructor({ store, methods, limits, clock, changed }: MountServiceDependencies) {
    this.limits = limits;
    this.#store = store;
    this.#methods = methods;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Returns all mounts in order of paths. */
  all(): Promise<Mount[]> {
    return this.#store.all();
  }

  /** Returns the mount at a path, or undefined. */
  find(path: string): Promise<Mount | undefined> {
    return this.#store.findByPath(path.replace(/\/$/, ''));
  }

  /**
   * Enables a method.
   * @throws AppError bad-request
   */
  async enable(text: string, body: Body): Promise<void> {
    const path = mountPath(text);
    const type = this.#typeOf(body);
    const config = section('config', body.config);
    // Official clients always send `config` with empty options, so `options` beside it takes precedence.
    const asked = { ...config, options: body.options ?? config.options };
    const tuning = mergeTuning(INITIAL_TUNING, asked, this.limits);
    if (isReserved(path)) throw inUse(TOKEN);
    const id = timeOrderedId(this.#clock());
    const flags = mountFlags(body);
    const mount = { path, type, tuning, flags, description: description(body.description) ?? '' };
    const conflict = await this.#store.insert({ id, accessor: newMountAccessor(type), ...mount });
    if (conflict !== undefined) throw conflict === path ? inUse(path) : nested(conflict);
    this.#changed();
  }

  /**
   * Disables a mount at once, with its tokens. Does nothing if it does not exist.
   * @throws AppError bad-request for a fixed mount
   */
  async disable(path: string): Promise<void> {
    if (path === TOKEN) throw new AppError('bad-request', 'token credential backend cannot be disabled');
    const id = await this.#store.disable(path, this.#clock());
    if (id === undefined) return;
    await this.#methods.drop(id);
    this.#changed();
  }

  /** @throws AppError bad-request */
  async tune(path: string, body: Body): Promise<void> {
    if (path === TOKEN) throw new AppError('bad-request', 'the token store cannot be tuned');
    const tuned = await this.#store.tune(path, (mount) => ({
      description: description(body.description) ?? mount.description,
      tuning: mergeTuning(mount.tuning, body, this.limits),
    }));
    if (!tuned) throw new AppError('bad-request', `tune of path "auth/${path}" failed: no mount entry found`);
  }

  /**
   * Moves a mount with everything in it. Its tokens stay valid.
   * @returns the id for `lastMove`
   * @throws AppError bad-request
   */
  async move(from: string, to: string): Promise<string> {
    const move = { from: authPath(from), to: mountPath(authPath(to)) };
    if (move.from === TOKEN) throw new AppError('bad-request', 'cannot remount "auth/token/"');
    if (isReserved(move.to)) throw inUse(TOKEN);
    const moved = await this.#store.move(move);
    if (moved === 'missing')
      throw new AppError('bad-request', `no matching mount at "auth/${move.from.slice(0, 128)}/"`);
    if ('conflict' in moved) throw moved.conflict === move.to ? inUse(move.to) : nested(moved.conflict);
    this.#changed();
    return moved.id;
  }

  lastMove(id: string): Promise<Move | undefined> {
    return this.#store.lastMove(id);
  }

  #typeOf({ type }: Body): string {
    if (typeof type !== 'string' || type === '') {
      throw new AppError('bad-request', 'backend type must be specified as a string');
    }
    if (type === TOKEN) throw new AppError('bad-request', 'token credential backend cannot be instantiated');
    if (this.#methods.has(type)) return type;
    const shown = /^[\w.-]{1,64}$/.test(type) ? `: ${type}` : '';
    throw new AppError('bad-request', `plugin not found in the catalog${shown}`);
  }
}

const isReserved = (path: string): boolean => path === TOKEN || path.startsWith(`${TOKEN}/`);
const inUse = (path: string): AppError => new AppError('bad-request', `path is already in use at ${path}/`);
const nested = (path: string): AppError => new AppError('bad-request', `existing mount at ${path}/`);

/** Removes the prefix: `auth/cert/` becomes `cert`. */
function authPath(text: string): string {
  const path = text.replace(/^\/|\/$/g, '');
  if (path.startsWith('auth/')) return path.slice('auth/'.length);
  throw new AppError('bad-request', 'only mounts below "auth/" can be moved');
}
