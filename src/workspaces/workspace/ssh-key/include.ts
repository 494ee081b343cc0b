import type { IncludeSource } from '../hooks/hooks.ts';
import { SshKeyResource } from './resource.ts';
import type { SshKeys } from './ssh-keys.ts';

/** Include source for the keys of workspaces, for actors who may see them. */
export function includedKeys(sshKeys: SshKeys): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.flatMap(({ sshKeyId }) => sshKeyId ?? []));
    return { resources: (await sshKeys.readable(actor, [...ids])).map(SshKeyResource.document) };
  };
}
