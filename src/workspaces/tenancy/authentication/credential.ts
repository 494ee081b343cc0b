import type { JobCredential } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';

/**
 * Reference to a credential without its secret, which links use to name the actor they were made for. Characters:
 * letters, digits, `-`, `_` and `~`.
 */
export type Credential =
  | { readonly kind: 'token'; readonly id: string }
  | { readonly kind: 'agent'; readonly tokenId: string; readonly agentId: string }
  | { readonly kind: 'own-agent'; readonly agentId: string }
  | JobCredential
  /** `agentId` is empty for a machine that is not an agent, or has not registered. */
  | { readonly kind: 'machine'; readonly reference: string; readonly agentId: string };

/** Returns the canonical text of a credential. */
export function credentialText(credential: Credential): string {
  if (credential.kind === 'token') return `token~${credential.id}`;
  if (credential.kind === 'own-agent') return `own-agent~${credential.agentId}`;
  if ('phaseId' in credential) {
    return `${credential.kind}~${credential.phaseId}~${credential.fence}`;
  }
  if (credential.kind === 'machine') return `machine~${credential.reference}~${credential.agentId}`;
  return `agent~${credential.tokenId}~${credential.agentId}`;
}

/** Adds the agent id to the text of a credential, for an agent that has just registered. */
export function credentialNaming(text: string, agentId: string): string {
  const credential = readCredential(text);
  return credential && 'agentId' in credential ? credentialText({ ...credential, agentId }) : text;
}

/** Returns the id of the token that an actor authenticated with; empty for any other kind of credential. */
export function tokenIdOf({ credential: text }: Actor): string {
  const credential = readCredential(text);
  return credential?.kind === 'token' ? credential.id : '';
}

/** Parses the text of a credential. Returns undefined if it is invalid. */
export function readCredential(text: string): Credential | undefined {
  const [kind, id = '', agentId = ''] = text.split('~');
  if (kind === 'token') return { kind, id };
  if (kind === 'agent') return { kind, tokenId: id, agentId };
  if (kind === 'own-agent') return { kind, agentId: id };
  if (kind === 'job' || kind === 'job-reader') return { kind, phaseId: id, fence: Number(agentId) };
  return kind === 'machine' ? { kind, reference: id, agentId } : undefined;
}
