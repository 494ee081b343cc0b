import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from './signing-keys.ts';

const signed: (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer> = promisify(sign);

/** Clock skew allowance of `nbf`, seconds, because tokens are used at once. */
const EARLIER = 60;

/** Run that the token identifies. */
export interface Workload {
  readonly organization: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly name: string };
  readonly workspace: { readonly id: string; readonly name: string };
  readonly runId: string;
  readonly phase: 'plan' | 'apply';
  /** Whether the run only plans what somebody proposes. */
  readonly speculative: boolean;
  /** Client certificate of the agent; null for an agent with a pool token. */
  readonly agent: AgentCertificate | null;
}

/** Certificate of an agent. Empty texts mean that the value is unknown. */
export interface AgentCertificate {
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  readonly subject: string;
  readonly serialNumber: string;
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string;
}

/** Issue time and expiry, milliseconds since 1970. */
export interface Lifetime {
  readonly from: number;
  readonly until: number;
}

/** Value of `run_phase` in the subject of a speculative plan, for workspaces that tell them apart there. */
const SPECULATIVE_PHASE = 'speculative_plan';

/**
 * Claims of a token.
 * @param tellsApart whether the subject of a speculative plan differs from that of other plans
 */
export function claimsOf(
  workload: Workload,
  issuer: string,
  audience: string,
  { from, until }: Lifetime,
  tellsApart = false,
): object {
  const { organization, project, workspace, runId, phase, speculative, agent } = workload;
  const full = `organization:${organization.name}:project:${project.name}:workspace:${workspace.name}`;
  const madeAt = Math.floor(from / 1000);
  return {
    jti: randomUUID(),
    iss: issuer,
    aud: audience,
    iat: madeAt,
    nbf: madeAt - EARLIER,
    exp: Math.floor(until / 1000),
    sub: `${full}:run_phase:${tellsApart && speculative ? SPECULATIVE_PHASE : phase}`,
    terraform_organization_id: organization.id,
    terraform_organization_name: organization.name,
    terraform_project_id: project.id,
    terraform_project_name: project.name,
    terraform_workspace_id: workspace.id,
    terraform_workspace_name: workspace.name,
    terraform_full_workspace: full,
    terraform_run_id: runId,
    terraform_run_phase: phase,
    // A string, because the conditions of most clouds compare strings.
    lockkeeper_speculative: String(speculative),
    ...(agent && agentClaims(agent)),
  };
}

/** Certificate of the executing agent (`cnf`: RFC 7800, RFC 8705). */
function agentClaims({ mount, role, commonName, subject, serialNumber, fingerprint }: AgentCertificate): object {
  return {
    ...(fingerprint && { cnf: { 'x5t#S256': Buffer.from(fingerprint, 'hex').toString('base64url') } }),
    lockkeeper_agent_mount: mount,
    lockkeeper_agent_role: role,
    ...(commonName && { lockkeeper_agent_common_name: commonName }),
    ...(subject && { lockkeeper_agent_subject: subject }),
    ...(serialNumber && { lockkeeper_agent_serial: serialNumber }),
  };
}

/** Signs a JWT (RFC 7519) with RS256. */
export async function signedToken(claims: object, { id, privateKey }: Signer): Promise<string> {
  const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'RS256', kid: id })}.${part(claims)}`;
  const signature = await signed('sha256', Buffer.from(text), privateKey);
  return `${text}.${signature.toString('base64url')}`;
}
