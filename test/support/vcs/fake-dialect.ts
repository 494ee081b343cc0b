import type { FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakeHook, FakePull, FakeRepository, FakeState } from './fake-state.ts';
import { authenticated } from './github-api.ts';

/** API and deliveries of a fake provider that is neither GitHub nor Gitea. */
export interface FakeDialect {
  /** Path of the API URL of a connection. */
  readonly apiPath: string;
  routes(state: FakeState): Record<string, FakeRoute>;
  push(state: FakeState, repository: FakeRepository, change: FakeChange): FakeEvent;
  /** @param action one of GitHub's: `opened`, `synchronize`, `closed` … */
  pull(state: FakeState, repository: FakeRepository, pull: FakePull, action: string): FakeEvent;
  /** Returns the headers of a delivery, with its proof. */
  headers(event: string, hook: FakeHook, body: string): Record<string, string>;
}

/** Change of a branch or tag, such as `refs/heads/main`. */
export interface FakeChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

export interface FakeEvent {
  readonly event: string;
  readonly payload: object;
}

/** Puts the routes of an API below its path; all of them need a credential. */
export function apiRoutesBelow(
  state: FakeState,
  path: string,
  routes: Readonly<Record<string, FakeRoute>>,
): Record<string, FakeRoute> {
  return Object.fromEntries(
    Object.entries(routes).map(([key, route]) => {
      const [method, pattern] = key.split(' ');
      return [`${method} ${path}${pattern}`, authenticated(state, route)];
    }),
  );
}

let lastHook = 0;

/** Creates a hook, with an id that no hook of another repository has. */
export function addHook({ hooks }: FakeRepository, hook: Omit<FakeHook, 'id'>): FakeHook {
  const made = { id: ++lastHook, ...hook };
  hooks.push(made);
  return made;
}

/** Changes a hook; undefined if there is none. */
export function changeHook(
  { hooks }: FakeRepository,
  id: string | undefined,
  change: Omit<FakeHook, 'id'>,
): FakeHook | undefined {
  const hook = hooks.find((each) => String(each.id) === id);
  return hook && Object.assign(hook, change);
}

/** Deletes a hook: 204, or 404 if there is none. */
export function deleteHook({ hooks }: FakeRepository, id: string | undefined): FakeResponse | undefined {
  const at = hooks.findIndex((each) => String(each.id) === id);
  if (at < 0) return undefined;
  hooks.splice(at, 1);
  return { status: 204 };
}

/** Returns the last part of a name. */
export const lastName = (fullName: string): string => fullName.split('/').at(-1) ?? '';

/** Returns a UUID for a number, as some providers have instead of numbers. */
export const uuidOf = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
export const numberOf = (uuid: string): number => Number(uuid.replace(/[{}]/g, '').slice(-12));
