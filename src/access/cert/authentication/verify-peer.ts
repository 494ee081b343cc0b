import type { Peer } from '../../../lib/request.ts';
import { runInSlices, type Steps, yieldIfDue } from '../../../lib/slices.ts';
import {
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

/** What was found about one role, or about paths alone where no role was reached. For the log, never for the caller. */
export interface PathFinding {
  readonly role?: string;
  /** Subjects, leaf first. */
  readonly path?: readonly string[];
  readonly verdicts: readonly Verdict[];
}

export interface Verification {
  /** The certificate that was presented, when it could be read. */
  readonly leaf: Certificate | undefined;
  /** The role that admits it; undefined when none does. */
  readonly role: LoadedRole | undefined;
  /** Whose key signed it, on the path that the role admits; the leaf itself where that is all there is to the path. */
  readonly issuer: Certificate | undefined;
  /** Why others did not. */
  readonly findings: readonly PathFinding[];
  /** A role was written meanwhile: the outcome may be another now. */
  readonly stale: boolean;
}

/** How a login uses the intermediates of earlier logins. */
export type IntermediateCache = Pick<ProvenIntermediates, 'current' | 'above' | 'has' | 'prove' | 'used'>;

/** What a verification needs besides the connection. */
export interface VerifyContext {
  readonly anchors: AnchorSet<RoleEntry>;
  /** Undefined for a role that is there no more as it was. */
  load(role: RoleEntry): Promise<LoadedRole | undefined>;
  readonly leaves: KnownLeaves;
  readonly proven: IntermediateCache;
  readonly revocation: RevocationChecks;
  /** Of the mount, as it was read for this login. */
  readonly mountVersion: number;
  readonly allowSha1: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** What a role judges a path with. */
export type PathCheckContext = Pick<VerifyContext, 'revocation' | 'mountVersion'> & { readonly address: string };

type Path = ValidPath<RoleEntry>;

/**
 * A log line is not a book.
 * @limit reasons for a refusal in the log, reasons -> the others are left out
 */
const MAX_FINDINGS = 20;
/** @limit a subject in the log, characters -> it is cut */
const MAX_SUBJECT = 300;

/**
 * Looks for a role that admits the certificate of this connection. The order: a path that is the certificate alone (a
 * pinned leaf, or an authority that logs in itself), then roles whose authority issued it, then roles reached through
 * intermediates; each in name order. A role is judged by its own anchors and settings and by nothing else.
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

/** What roles said before what was wrong with paths: a client can present any number of useless certificates. */
function mostTelling(findings: readonly PathFinding[]): PathFinding[] {
  const aboutRoles = (finding: PathFinding) => Number(finding.role === undefined);
  return findings.toSorted((a, b) => aboutRoles(a) - aboutRoles(b)).slice(0, MAX_FINDINGS);
}

/** A subject as a log line can bear it: a certificate may hold kilobytes of one. */
export function subjectOf({ subject }: Certificate): string {
  return subject.toString().slice(0, MAX_SUBJECT);
}

/** What a role makes of a valid path. Revocation is looked up only for a path that the role would admit otherwise. */
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
 * None first, then those that are proven; what the client presents is read only when nothing else helps, and not at all for a leaf
 * that no path could begin with: one that has expired, say.
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

/** What a valid path went through need not be presented again, whatever the role makes of the leaf. */
function keepProven(peer: Peer, paths: readonly Path[], proven: IntermediateCache): Promise<void> {
  const added = new Set(paths.flatMap(intermediatesOf).filter((certificate) => !proven.has(certificate)));
  if (added.size > 0) peer.proved([...added].map(({ der }) => der));
  return proven.prove([...added]);
}

const intermediatesOf = ({ certificates }: Path): readonly Certificate[] => certificates.slice(1, -1);

/** The valid paths that were not judged before. */
function* newPaths(
  leaf: Certificate,
  intermediates: () => readonly Certificate[],
  { anchors, allowSha1, now }: VerifyContext,
  judged: Set<string>,
  findings: PathFinding[],
): Steps<Path[]> {
  const onReject = (verdict: Verdict) => findings.push({ verdicts: [verdict] });
  const options = { anchors, intermediates, time: now, extendedKeyUsage: KeyPurpose.clientAuth, allowSha1, onReject };
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

/** Every path with every role that it leads to, in the order in which they are judged. */
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
