import type { Token } from '../../model/token.ts';

/** A service token in the database. */
export interface TokenRow {
  id: string;
  secret_hash: Uint8Array;
  accessor: string;
  path: string;
  display_name: string;
  policies: string;
  metadata: string | null;
  bound_cidrs: string;
  orphan: number;
  period: number;
  explicit_max_ttl: number;
  uses_left: number | null;
  creation_ttl: number;
  created_at: number;
  renewed_at: number | null;
  expires_at: number | null;
  mount_id: string | null;
  certificate: string | null;
  parent_id: string | null;
  entity_id: string | null;
  role: string | null;
  renewable: number;
}

export const TOKEN_COLUMNS = `id, secret_hash, accessor, path, display_name, policies, metadata, bound_cidrs, orphan, period,
  explicit_max_ttl, uses_left, creation_ttl, created_at, renewed_at, expires_at, mount_id, certificate, parent_id, entity_id,
  role, renewable`;

export function toRow(token: Token, secretHash: Uint8Array): Record<keyof TokenRow, TokenRow[keyof TokenRow]> {
  return {
    id: token.id,
    secret_hash: secretHash,
    accessor: token.accessor,
    path: token.path,
    display_name: token.displayName,
    policies: JSON.stringify(token.policies),
    metadata: token.metadata && JSON.stringify(token.metadata),
    bound_cidrs: JSON.stringify(token.boundCidrs),
    orphan: token.orphan ? 1 : 0,
    period: token.period,
    explicit_max_ttl: token.explicitMaxTtl,
    uses_left: token.usesLeft,
    creation_ttl: token.creationTtl,
    created_at: token.createdAt,
    renewed_at: token.renewedAt,
    expires_at: token.expiresAt,
    mount_id: token.mountId,
    certificate: token.certificate && JSON.stringify(token.certificate),
    parent_id: token.parentId,
    entity_id: token.entityId,
    role: token.role,
    renewable: token.renewable ? 1 : 0,
  };
}

export function toToken(row: TokenRow): Token {
  return {
    id: row.id,
    type: 'service',
    accessor: row.accessor,
    path: row.path,
    displayName: row.display_name,
    policies: JSON.parse(row.policies),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    boundCidrs: JSON.parse(row.bound_cidrs),
    orphan: row.orphan === 1,
    parentId: row.parent_id,
    entityId: row.entity_id,
    role: row.role,
    period: row.period,
    explicitMaxTtl: row.explicit_max_ttl,
    usesLeft: row.uses_left,
    renewable: row.renewable === 1,
    creationTtl: row.creation_ttl,
    createdAt: row.created_at,
    renewedAt: row.renewed_at,
    expiresAt: row.expires_at,
    mountId: row.mount_id,
    certificate: row.certificate === null ? null : JSON.parse(row.certificate),
  };
}
