/**
 * State of a hook. wanted: not made yet. made: the server made it at the provider. manual: a user must make it, because
 * the connection may not. removed: no workspace follows the repository any more.
 */
export type HookState = 'wanted' | 'made' | 'manual' | 'removed';

/** Webhook of a repository, or of a GitHub App, which has no repository. Times are milliseconds since 1970. */
export interface Hook {
  readonly id: string;
  readonly organizationId: string;
  readonly repositoryId: string | null;
  /** Set if it is the webhook of a GitHub App, which GitHub makes with the App. */
  readonly githubAppId: string | null;
  /** Kind of the provider that delivers. */
  readonly serviceProvider: string;
  /** Last part of its URL. */
  readonly key: string;
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The provider's id of the hook that the server made. */
  readonly providerHookId: string | null;
  readonly state: HookState;
  /** Reason why the server could not make it. */
  readonly problem: string | null;
  /** Time of the last attempt to make it. */
  readonly triedAt: number;
  /** Time of the last proven delivery; null if none came, or a change came without one. */
  readonly lastDeliveryAt: number | null;
}

/** Delivery of a hook. The outcome is null until a look-up has used it. */
export interface StoredDelivery {
  readonly id: string;
  readonly deliveryId: string;
  /** Hints as JSON. */
  readonly hints: string;
  readonly outcome: string | null;
  readonly receivedAt: number;
}

/** Returns the URL at which providers deliver. */
export function hookUrl(address: string, key: string): string {
  return new URL(`/webhooks/vcs/${key}`, address).href;
}
