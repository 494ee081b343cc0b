import { ROOT } from '../acl/index.ts';

/** For tokens that stand for a wrapped answer and nothing else. */
const RESPONSE_WRAPPING = 'response-wrapping';
export const DEFAULT = 'default';

/** Nobody can write these, and only root can be seen in a list. */
export const IMMUTABLE: ReadonlySet<string> = new Set([ROOT, RESPONSE_WRAPPING]);

/** Always in a list of policies. */
export const LISTED: readonly string[] = [DEFAULT, ROOT];

const DEFAULT_TEXT = `# What every token may do, unless it was made without this policy. You can change it, but not delete it.

# Look at itself, stay alive, go.
path "auth/token/lookup-self" {
  capabilities = ["read"]
}
path "auth/token/renew-self" {
  capabilities = ["update"]
}
path "auth/token/revoke-self" {
  capabilities = ["update"]
}

# See what it may do.
path "sys/capabilities-self" {
  capabilities = ["update"]
}
path "sys/internal/ui/resultant-acl" {
  capabilities = ["read"]
}

# See who it is.
path "identity/entity/id/{{identity.entity.id}}" {
  capabilities = ["read"]
}
path "identity/entity/name/{{identity.entity.name}}" {
  capabilities = ["read"]
}

# Look up and renew leases whose id it knows.
path "sys/leases/lookup" {
  capabilities = ["update"]
}
path "sys/leases/renew" {
  capabilities = ["update"]
}

# Wrap answers of its own, and unwrap what it was handed.
path "sys/wrapping/wrap" {
  capabilities = ["update"]
}
path "sys/wrapping/lookup" {
  capabilities = ["update"]
}
path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}

# Hash what it sends.
path "sys/tools/hash" {
  capabilities = ["update"]
}
path "sys/tools/hash/*" {
  capabilities = ["update"]
}
`;

const RESPONSE_WRAPPING_TEXT = `path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}
`;

/** What a policy says while nobody has written it. */
export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [DEFAULT, DEFAULT_TEXT],
  [RESPONSE_WRAPPING, RESPONSE_WRAPPING_TEXT],
  [ROOT, ''],
]);
