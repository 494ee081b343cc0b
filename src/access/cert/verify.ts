import type { Peer } from '../../lib/request.ts';
import { type AnchorSet, Certificate, KeyPurpose, ParseError, type ValidPath, validPaths } from '../../x509/index.ts';
import { judge } from './constraints.ts';
import type { IntermediateCache } from './intermediates.ts';
import type { LoadedRole } from './role-registry.ts';
import { allPassed, type Verdict } from './verdict.ts';

/** What was found about one role, or about paths alone where no role was reached. For the log, never for the caller. */
export interface Finding {
  readonly role?: string;
  readonly verdicts: readonly Verdict[];
}

export interface Verification {
  /** The certificate that was presented, when it could be read. */
  readonly leaf: Certificate | undefined;
  /** The role that admits it; undefined when none does. */
  readonly role: LoadedRole | undefined;
  /** Why others did not. */
  readonly findings: readonly Finding[];
}

type Path = ValidPath<LoadedRole>;

/** A log line is not a book. */
const MAX_FINDINGS = 20;

/**
 * Looks for a role that admits the certificate of this connection. The order: a path that is the certificate alone (a
 * pinned leaf, or an authority that logs in itself), then roles whose authority issued it, then roles reached through
 * intermediates; each in name order. A role is judged by its own anchors and settings and by nothing else.
 */
export function verify(
  peer: Peer,
  anchors: AnchorSet<LoadedRole>,
  remembered: IntermediateCache,
  now: number,
): Verification {
  const findings: Finding[] = [];
  const leaf = readLeaf(peer, findings);
  if (!leaf) return { leaf, role: undefined, findings };
  const judged = new Set<string>();
  for (const intermediates of candidateIntermediates(peer, leaf, remembered)) {
    const paths = newPaths(leaf, anchors, intermediates, now, judged, findings);
    for (const [path, role] of inOrder(paths)) {
      const verdicts = judge(role.constraints, { leaf, address: peer.address });
      if (allPassed(verdicts)) {
        remembered.remember(path.certificates.slice(1, -1));
        return { leaf, role, findings };
      }
      findings.push({ role: role.name, verdicts });
    }
  }
  return { leaf, role: undefined, findings: findings.slice(0, MAX_FINDINGS) };
}

function readLeaf(peer: Peer, findings: Finding[]): Certificate | undefined {
  const der = peer.leaf();
  try {
    if (der) return Certificate.parse(der);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    findings.push(refusal('certificate', 'strict DER', error.message));
  }
  return undefined;
}

/** None first, then those known from earlier logins; what the client presents is read only when nothing else helps. */
function* candidateIntermediates(
  peer: Peer,
  leaf: Certificate,
  remembered: IntermediateCache,
): Generator<Certificate[]> {
  yield [];
  const known = remembered.above(leaf);
  if (known.length > 0) yield known;
  const presented = (peer.intermediates() ?? []).flatMap(readable);
  if (presented.length > 0) yield presented;
}

function readable(der: Uint8Array): Certificate[] {
  try {
    return [Certificate.parse(der)];
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

/** The valid paths that were not judged before. */
function newPaths(
  leaf: Certificate,
  anchors: AnchorSet<LoadedRole>,
  intermediates: readonly Certificate[],
  time: number,
  judged: Set<string>,
  findings: Finding[],
): Path[] {
  const paths: Path[] = [];
  const onReject = (verdict: Verdict) => findings.push({ verdicts: [verdict] });
  for (const path of validPaths(leaf, {
    anchors,
    intermediates,
    time,
    extendedKeyUsage: KeyPurpose.clientAuth,
    onReject,
  })) {
    const key = path.certificates.map(({ fingerprint }) => fingerprint).join();
    if (!judged.has(key)) paths.push(path);
    judged.add(key);
  }
  return paths;
}

/** Every path with every role that it leads to, in the order in which they are judged. */
function inOrder(paths: readonly Path[]): [Path, LoadedRole][] {
  const distance = ([path]: readonly [Path, LoadedRole]) => Math.min(path.certificates.length, 3);
  return paths
    .flatMap((path) => path.anchor.owners.map((role): [Path, LoadedRole] => [path, role]))
    .sort((a, b) => distance(a) - distance(b) || compareText(a[1].name, b[1].name));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function refusal(check: string, expected: string, actual: string): Finding {
  return { verdicts: [{ check, outcome: 'refused', expected, actual }] };
}
