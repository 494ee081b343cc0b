import { ROOT } from '../acl/index.ts';

/** Policy of wrapping tokens only. */
const RESPONSE_WRAPPING = 'response-wrapping';
export const DEFAULT = 'default';

/** Policies that cannot be written. Lists contain only root of these. */
export const IMMUTABLE: ReadonlySet<string> = new Set([ROOT, RESPONSE_WRAPPING]);

/** Policies that are always in a list. */
export const LISTED: readonly string[] = [DEFAULT, ROOT];

const DEFAULT_TEXT = `# Permissions of every token, unless it is created without this policy.
# You can change this policy, but not delete it.

# Look up, renew and revoke itself.
path "auth/token/lookup-self" {
  capabilities = ["read"]
}
path "auth/token/renew-self" {
  capabilities = ["update"]
}
path "auth/token/revoke-self" {
  capabilities = ["update"]
}

# Read its own capabilities.
path "sys/capabilities-self" {
  capabilities = ["update"]
}
path "sys/internal/ui/resultant-acl" {
  capabilities = ["read"]
}

# Read its own entity.
path "identity/entity/id/{{identity.entity.id}}" {
  capabilities = ["read"]
}
path "identity/entity/name/{{identity.entity.name}}" {
  capabilities = ["read"]
}

# Look up and renew leases with a known id.
path "sys/leases/lookup" {
  capabilities = ["update"]
}
path "sys/leases/renew" {
  capabilities = ["update"]
}

# Wrap answers, and unwrap with a wrapping token.
path "sys/wrapping/wrap" {
  capabilities = ["update"]
}
path "sys/wrapping/lookup" {
  capabilities = ["update"]
}
path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}

# Hash data.
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

/** Texts of policies before the first write. */
export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [DEFAULT, DEFAULT_TEXT],
  [RESPONSE_WRAPPING, RESPONSE_WRAPPING_TEXT],
  [ROOT, ''],
]);
