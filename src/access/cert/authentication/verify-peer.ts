import type { Peer } from '../../../lib/request.ts';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';
import {
  type AcceptedPurposes,
  type AnchorSet,
  type Certificate,
  KeyPurpose,
  ParseError,
  searchPaths,
  type ValidPath,
} from '../../../x509/index.ts';
import { allPassed, type Verdict } from '../../method/index.ts';
import { checkConstraints } from '../constraint/constraints.ts';
import type { ProvenIntermediates } from '../intermediate/proven-intermediates.ts';
import { readableCertificates } from '../intermediate/readable-certificates.ts';
import type { RoleEntry } from '../role/role-index.ts';
import type { LoadedRole } from '../role/role-registry.ts';
import type { KnownLeaves } from './known-leaves.ts';
import type { RevocationChecks } from './revocation-checks.ts';

/** Verdicts about one role, or about chains if none reached a role. Only for the log, never for the client. */
export interface PathFinding {
  readonly role?: string;
  /** Subjects of the certificates in the path, leaf first. */
  readonly path?: readonly string[];
  readonly verdicts: readonly Verdict[];
}

export interface Verification {
  /** The client certificate, if it could be parsed. */
  readonly leaf: Certificate | undefined;
  /** The role that accepts the certificate. Undefined if none does. */
  readonly role: LoadedRole | undefined;
  /** Issuer of the leaf on the accepted path. The leaf itself if the path has no other certificate. */
  readonly issuer: Certificate | undefined;
  /** Why other roles and paths did not match. */
  readonly findings: readonly PathFinding[];
  /** A role was written meanwhile, so the result may be outdated. */
  readonly stale: boolean;
}

/** The cache of intermediates, as far as a login uses it. */
export type IntermediateCache = Pick<ProvenIntermediates, 'current' | 'above' | 'has' | 'prove' | 'used'>;

/** Inputs of a verification, besides the connection. */
export interface VerifyContext {
  readonly anchors: AnchorSet<RoleEntry>;
  /** Key purposes that any of these roles accepts. */
  readonly purposes: AcceptedPurposes;
  /** Loads a role. Undefined if the role has changed or is deleted. */
  load(role: RoleEntry): Promise<LoadedRole | undefined>;
  readonly leaves: KnownLeaves;
  readonly proven: IntermediateCache;
  readonly revocation: RevocationChecks;
  /** Version of the mount, as read for this login. */
  readonly mountVersion: number;
  readonly allowSha1: boolean;
  /** Current time, milliseconds since 1970. */
  readonly now: number;
}

/** Inputs of the checks of a role for one path. */
export type PathCheckContext = Pick<VerifyContext, 'revocation' | 'mountVersion'> & { readonly address: string };

type Path = ValidPath<RoleEntry>;

/**
 * Maximum number of verdicts in a log entry.
 * @limit reasons for a refusal in the log, reasons -> the others are left out
 */
const MAX_FINDINGS = 20;
/** @limit length of a certificate subject in the log, characters -> the subject is cut */
const MAX_SUBJECT = 300;

/**
 * Finds a role that accepts the certificate of a connection. Tries paths with only the leaf first (a role contains
 * the leaf itself, or a CA certificate logs in), then roles whose CA issued the leaf, then roles reached through
 * intermediates; each group in order of role names. Each role uses only its own anchors and settings.
 */
export async function verifyPeer(peer: Peer, context: VerifyContext): Promise<Verification> {
  const findings: PathFinding[] = [];
  const leaf = readLeaf(peer, context.leaves, findings);
  if (!leaf) return { leaf, role: undefined, issuer: undefined, findings, stale: false };
  let stale = false;
  const judged = new Set<string>();
  for (const intermediates of candidateIntermediates(peer, leaf, context.proven)) {
    const paths = await runInSlices(newPaths(leaf, intermediates, context, judged, findings));
    await keepProven(peer, paths, context.proven);
    for (const [path, entry] of inOrder(paths)) {
      const misuse = path.purposeRefusal(entry.purposes);
      if (misuse) {
        findings.push({ role: entry.name, path: path.certificates.map(subjectOf), verdicts: [misuse] });
        continue;
      }
      const role = await context.load(entry);
      if (!role) {
        stale = true;
        continue;
      }
      const verdicts = await checkPath(path, role, { ...context, address: peer.address });
      if (allPassed(verdicts)) {
        context.leaves.remember(leaf);
        await context.proven.used(intermediatesOf(path));
        return { leaf, role, issuer: path.certificates[1] ?? leaf, findings, stale };
      }
      findings.push({ role: role.name, path: path.certificates.map(subjectOf), verdicts });
      await yieldIfDue();
    }
  }
  return { leaf, role: undefined, issuer: undefined, findings: mostTelling(findings), stale };
}

/** Puts verdicts about roles before those about paths: a client can present any number of useless certificates. */
function mostTelling(findings: readonly PathFinding[]): PathFinding[] {
  const aboutRoles = (finding: PathFinding) => Number(finding.role === undefined);
  return findings.toSorted((a, b) => aboutRoles(a) - aboutRoles(b)).slice(0, MAX_FINDINGS);
}

/** Returns a subject for the log, cut to a bounded length: a certificate may contain kilobytes of it. */
export function subjectOf({ subject }: Certificate): string {
  return subject.toString().slice(0, MAX_SUBJECT);
}

/** Evaluates a valid path with a role. Checks revocation only if the role accepts the path otherwise. */
export async function checkPath(
  { certificates }: Path,
  role: LoadedRole,
  { address, revocation, mountVersion }: PathCheckContext,
): Promise<readonly Verdict[]> {
  const verdicts = await runInSlices(
    checkConstraints(role.constraints, { leaf: certificates[0] as Certificate, address }),
  );
  if (!allPassed(verdicts)) return verdicts;
  return [...verdicts, ...(await revocation.verdicts(certificates, role, mountVersion))];
}

function readLeaf(peer: Peer, leaves: KnownLeaves, findings: PathFinding[]): Certificate | undefined {
  const der = peer.leaf();
  try {
    if (der) return leaves.read(der);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    findings.push(refusal('certificate', 'strict DER', error.message));
  }
  return undefined;
}

/**
 * Yields sets of intermediates to try: none, then cached ones, then those that the client presents. Presented
 * certificates are expensive to parse, so they are used last, and not at all if no path can start at the leaf (for
 * example, because it has expired).
 */
function* candidateIntermediates(
  peer: Peer,
  leaf: Certificate,
  proven: IntermediateCache,
): Generator<() => readonly Certificate[]> {
  let isAskedFor = false;
  yield () => {
    isAskedFor = true;
    return [];
  };
  if (!isAskedFor) return;
  const known = proven.above([leaf]);
  if (known.length > 0) yield () => known;
  const presented = readableCertificates(peer.intermediates() ?? []);
  if (presented.length > 0) yield () => [...presented, ...proven.above([leaf, ...presented])];
}

/**
 * Caches the intermediates of valid paths, so that the client need not present them again, whatever the role decides.
 */
function keepProven(peer: Peer, paths: readonly Path[], proven: IntermediateCache): Promise<void> {
  const added = new Set(paths.flatMap(intermediatesOf).filter((certificate) => !proven.has(certificate)));
  if (added.size > 0) peer.proved([...added].map(({ der }) => der));
  return proven.prove([...added]);
}

const intermediatesOf = ({ certificates }: Path): readonly Certificate[] => certificates.slice(1, -1);

/** Returns the valid paths that were not evaluated before. */
function* newPaths(
  leaf: Certificate,
  intermediates: () => readonly Certificate[],
  { anchors, purposes, allowSha1, now }: VerifyContext,
  judged: Set<string>,
  findings: PathFinding[],
): Steps<Path[]> {
  const onReject = (verdict: Verdict) => findings.push({ verdicts: [verdict] });
  const extendedKeyUsage = purposes ?? KeyPurpose.any;
  const options = { anchors, intermediates, time: now, extendedKeyUsage, allowSha1, onReject };
  const paths: Path[] = [];
  for (const path of searchPaths(leaf, options)) {
    yield;
    if (path === undefined) continue;
    const key = path.certificates.map(({ fingerprint }) => fingerprint).join();
    if (!judged.has(key)) paths.push(path);
    judged.add(key);
  }
  return paths;
}

/** Returns every pair of path and role, in the order of evaluation. */
function inOrder(paths: readonly Path[]): [Path, RoleEntry][] {
  const distance = ([path]: readonly [Path, RoleEntry]) => Math.min(path.certificates.length, 3);
  return paths
    .flatMap((path) => path.anchor.owners.map((role): [Path, RoleEntry] => [path, role]))
    .sort((a, b) => distance(a) - distance(b) || compareText(a[1].name, b[1].name));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function refusal(check: string, expected: string, actual: string): PathFinding {
  return { verdicts: [{ check, outcome: 'refused', expected, actual }] };
}
