import type { Issue } from '../../lib/errors.ts';
import { attributeIssue } from '../jsonapi/errors.ts';

/** A stored secret, its value in a request, and the attributes of its destination. */
export interface SecretChange<Name extends string = string> {
  readonly isStored: boolean;
  /** New value of the secret. If undefined, the request leaves the stored one unchanged. */
  readonly given: string | null | undefined;
  /** Attributes of the destination by name: the value before the request and the value after it. */
  readonly destination: Readonly<Record<Name, readonly [before: string, after: string]>>;
}

/**
 * Returns the attributes by which a request would send a stored secret to another destination. A stored secret is bound
 * to its destination (`SealedColumn.boundTo`): otherwise a user who may change the destination, but does not know the
 * secret, could have it sent to their own server.
 */
export function movesSecret<Name extends string>({ isStored, given, destination }: SecretChange<Name>): Name[] {
  if (!isStored || given !== undefined) return [];
  const names = Object.keys(destination) as Name[];
  return names.filter((name) => destination[name][0] !== destination[name][1]);
}

/** Returns the error for a change that would send a stored secret elsewhere. @param attribute name of the secret */
export function boundSecretIssues(attribute: string, label: string, change: SecretChange): Issue[] {
  const moved = movesSecret(change).join(' and ');
  if (moved === '') return [];
  const detail = `${label} must be sent again with a changed ${moved}: the stored one is only valid for the stored ${moved}. Send null to remove it`;
  return [attributeIssue(attribute, detail)];
}
