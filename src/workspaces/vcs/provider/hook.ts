import type { WantedHook } from './port.ts';

/** Requests by which the hooks of a repository are managed. */
export interface HookRequests {
  /** Returns false if there is no such hook. */
  update(hookId: string): Promise<boolean>;
  list(): Promise<readonly { readonly id: string; readonly url: string }[]>;
  /** Returns the id of the new hook. */
  create(): Promise<string>;
}

/**
 * Updates the hook that the server made earlier, or one with the same URL, which a killed server may have made, or
 * creates one. Returns its id.
 */
export async function ensureHook({ hookId, url }: WantedHook, requests: HookRequests): Promise<string> {
  if (hookId !== null && (await requests.update(hookId))) return hookId;
  const made = (await requests.list()).find((hook) => hook.url === url);
  if (made && (await requests.update(made.id))) return made.id;
  return await requests.create();
}
