import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from './signing-keys.ts';

const signed: (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer> = promisify(sign);

/** How much earlier than it is made a token counts, seconds: clocks differ, and it is used at once. */
const EARLIER = 60;

/** Whose run it is, and which. */
export interface Workload {
  readonly organization: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly name: string };
  readonly workspace: { readonly id: string; readonly name: string };
  readonly runId: string;
  readonly phase: 'plan' | 'apply';
  /** The certificate that the agent came in by; null for an agent with a token of its pool. */
  readonly agent: AgentCertificate | null;
}

/** What is known of the certificate of an agent; empty texts are not known. */
export interface AgentCertificate {
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  readonly subject: string;
  readonly serialNumber: string;
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
}

/** When it was made and when it ends, milliseconds since 1970. */
export interface Lifetime {
  readonly from: number;
  readonly until: number;
}

/** What a token says. */
export function claimsOf(workload: Workload, issuer: string, audience: string, { from, until }: Lifetime): object {
  const { organization, project, workspace, runId, phase, agent } = workload;
  const full = `organization:${organization.name}:project:${project.name}:workspace:${workspace.name}`;
  const madeAt = Math.floor(from / 1000);
  return {
    jti: randomUUID(),
    iss: issuer,
    aud: audience,
    iat: madeAt,
    nbf: madeAt - EARLIER,
    exp: Math.floor(until / 1000),
    sub: `${full}:run_phase:${phase}`,
    terraform_organization_id: organization.id,
    terraform_organization_name: organization.name,
    terraform_project_id: project.id,
    terraform_project_name: project.name,
    terraform_workspace_id: workspace.id,
    terraform_workspace_name: workspace.name,
    terraform_full_workspace: full,
    terraform_run_id: runId,
    terraform_run_phase: phase,
    ...(agent && agentClaims(agent)),
  };
}

/** Which certificate carries the run out (`cnf`: RFC 7800, RFC 8705). */
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

/** A JWT (RFC 7519), signed with RS256. */
export async function signedToken(claims: object, { id, privateKey }: Signer): Promise<string> {
  const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'RS256', kid: id })}.${part(claims)}`;
  const signature = await signed('sha256', Buffer.from(text), privateKey);
  return `${text}.${signature.toString('base64url')}`;
}
