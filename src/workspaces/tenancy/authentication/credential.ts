import type { JobCredential } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';

/**
 * What somebody came in by, without the secret of it: as links name whom they were made for. Letters, digits, `-`, `_` and `~`.
 */
export type Credential =
  | { readonly kind: 'token'; readonly id: string }
  | { readonly kind: 'agent'; readonly tokenId: string; readonly agentId: string }
  | { readonly kind: 'own-agent'; readonly agentId: string }
  | JobCredential
  /** `agentId` is empty for a machine that is no agent, or has not registered. */
  | { readonly kind: 'machine'; readonly reference: string; readonly agentId: string };

/** The one text of a credential. */
export function credentialText(credential: Credential): string {
  if (credential.kind === 'token') return `token~${credential.id}`;
  if (credential.kind === 'own-agent') return `own-agent~${credential.agentId}`;
  if ('phaseId' in credential) {
    return `${credential.kind}~${credential.phaseId}~${credential.fence}`;
  }
  if (credential.kind === 'machine') return `machine~${credential.reference}~${credential.agentId}`;
  return `agent~${credential.tokenId}~${credential.agentId}`;
}

/** The same of an agent that says only now which one it is. */
export function credentialNaming(text: string, agentId: string): string {
  const credential = readCredential(text);
  return credential && 'agentId' in credential ? credentialText({ ...credential, agentId }) : text;
}

/** Returns the id of the token that an actor authenticated with; empty for any other kind of credential. */
export function tokenIdOf({ credential: text }: Actor): string {
  const credential = readCredential(text);
  return credential?.kind === 'token' ? credential.id : '';
}

/** Undefined for a text that names none. */
export function readCredential(text: string): Credential | undefined {
  const [kind, id = '', agentId = ''] = text.split('~');
  if (kind === 'token') return { kind, id };
  if (kind === 'agent') return { kind, tokenId: id, agentId };
  if (kind === 'own-agent') return { kind, agentId: id };
  if (kind === 'job' || kind === 'job-reader') return { kind, phaseId: id, fence: Number(agentId) };
  return kind === 'machine' ? { kind, reference: id, agentId } : undefined;
}
