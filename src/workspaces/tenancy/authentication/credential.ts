/**
 * What somebody came in by, without the secret of it: as links name whom they were made for. Letters, digits, `-`, `_` and `~`.
 */
export type Credential =
  | { readonly kind: 'token'; readonly id: string }
  | { readonly kind: 'agent'; readonly tokenId: string; readonly agentId: string }
  /** `agentId` is empty for a machine that is no agent, or has not registered. */
  | { readonly kind: 'machine'; readonly reference: string; readonly agentId: string };

/** The one text of a credential. */
export function credentialText(credential: Credential): string {
  if (credential.kind === 'token') return `token~${credential.id}`;
  if (credential.kind === 'machine') return `machine~${credential.reference}~${credential.agentId}`;
  return `agent~${credential.tokenId}~${credential.agentId}`;
}

/** Undefined for a text that names none. */
export function readCredential(text: string): Credential | undefined {
  const [kind, id = '', agentId = ''] = text.split('~');
  if (kind === 'token') return { kind, id };
  if (kind === 'agent') return { kind, tokenId: id, agentId };
  return kind === 'machine' ? { kind, reference: id, agentId } : undefined;
}
