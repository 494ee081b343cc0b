import type { Certificate } from '../certificate/certificate.ts';
import { comparisonCount, constrainedNames, nameViolation } from '../constraints/name-constraints.ts';
import type { Anchor } from './anchors.ts';
import { type Check, failedCheck, issuerChecks, leafChecks, type Rules, signatureAlgorithm } from './checks.ts';
import { Intermediates, isInPath, likelyIssuersFirst } from './intermediates.ts';
import { purposeRefusal } from './key-purposes.ts';
import { MAX_PRESENTED, type PathOptions, rulesOf } from './options.ts';
import { policyFault } from './policies.ts';
import { SignatureChecks } from './signature-checks.ts';
import { ValidPath } from './valid-path.ts';
import { type Position, refused, type Verdict } from './verdict.ts';
import { WorkLimit } from './work-limit.ts';

/**
 * Default of the CAs between leaf and anchor, self-issued ones not counted.
 * @limit CAs between a leaf and its anchor, self-issued ones not counted, CAs -> the path is not valid
 */
const DEFAULT_MAX_INTERMEDIATES = 8;
/**
 * Maximum length of a path, all certificates counted.
 * @limit certificates in a path, certificates -> the path is not valid
 */
const MAX_PATH = 16;
/**
 * Maximum number of refusals for the caller, so that they do not flood the audit log.
 * @limit reasons for a refusal that one path search reports, refusals -> the others are omitted
 */
const MAX_REJECTIONS = 100;

/**
 * Yields every valid path from the leaf to an anchor, each computed on demand (RFC 5280 §6.1): shortest paths first,
 * alternatives after. The search ends at its work limit and throws on no certificate; a `ParseError` only means that
 * `extendedKeyUsage` is not an object identifier.
 */
export function* validPaths<Owner>(
  leaf: Certificate,
  options: PathOptions<Owner>,
): Generator<ValidPath<Owner>, void, void> {
  for (const path of searchPaths(leaf, options)) if (path !== undefined) yield path;
}

/**
 * Runs the search in small steps, so that other work can run between them: yields undefined after each candidate
 * issuer, which takes at most one signature check.
 */
export function searchPaths<Owner>(leaf: Certificate, options: PathOptions<Owner>): PathSteps<Owner> {
  return new PathSearch(options).from(leaf);
}

type PathSteps<Owner> = Generator<ValidPath<Owner> | undefined, void, void>;

/** Depth-first search, anchors before intermediates. */
class PathSearch<Owner> {
  readonly #options: PathOptions<Owner>;
  readonly #rules: Rules;
  readonly #limit = new WorkLimit();
  readonly #signatures = new SignatureChecks(this.#limit);
  /** The path so far: all checks of its certificates and of adjacent pairs have passed. */
  readonly #path: Position[] = [];
  #intermediates: Intermediates | undefined;
  #rejections = 0;
  #isOver = false;

  constructor(options: PathOptions<Owner>) {
    this.#options = options;
    this.#rules = rulesOf(options);
  }

  *from(certificate: Certificate): PathSteps<Owner> {
    const leaf = { certificate, index: 0, authoritiesBelow: 0 };
    if (!this.#holds(leafChecks, leaf)) return;
    this.#path.push(leaf);
    const pinned = this.#options.anchors.get(certificate);
    if (pinned !== undefined) yield this.#found(pinned);
    yield* this.#above(leaf);
  }

  /** Yields paths that continue from the last certificate. */
  *#above(last: Position): PathSteps<Owner> {
    if (!this.#holds([signatureAlgorithm], last)) return;
    const anchors = this.#anchorsAbove(last.certificate);
    for (const anchor of anchors) {
      // Above the limit no further certificate is tried or even parsed.
      if (this.#limit.isExceeded) break;
      const position = this.#positionAbove(last, anchor.certificate);
      const isIssuer = this.#issued(position, last);
      yield;
      if (!isIssuer) continue;
      this.#path.push(position);
      if (this.#wholePathHolds()) yield this.#found(anchor);
      this.#path.pop();
    }
    const intermediates = this.#intermediatesAbove(last.certificate);
    for (const certificate of intermediates) {
      const position = this.#positionAbove(last, certificate);
      const isIssuer = this.#hasRoomFor(position) && this.#issued(position, last);
      yield;
      if (!isIssuer) continue;
      this.#path.push(position);
      yield* this.#above(position);
      this.#path.pop();
    }
    if (anchors.length + intermediates.length === 0) this.#refuse(() => noIssuerKnown(last));
  }

  #anchorsAbove(certificate: Certificate): readonly Anchor<Owner>[] {
    const named = this.#options.anchors.named(certificate.issuer);
    const outside = named.filter((anchor) => !isInPath(anchor.fingerprint, this.#path));
    return likelyIssuersFirst(outside, certificate, (anchor) => anchor.subjectKeyId);
  }

  #intermediatesAbove(certificate: Certificate): readonly Certificate[] {
    this.#intermediates ??= new Intermediates(this.#presented());
    const named = this.#intermediates.named(certificate.issuer, this.#path);
    return likelyIssuersFirst(named, certificate, (candidate) => candidate.subjectKeyId);
  }

  #presented(): readonly Certificate[] {
    const { intermediates = [] } = this.#options;
    const presented = typeof intermediates === 'function' ? intermediates() : intermediates;
    if (presented.length <= MAX_PRESENTED) return presented;
    const [leaf] = this.#path as [Position];
    this.#refuse(() =>
      refused('work-limit', leaf, `at most ${MAX_PRESENTED} certificates to build with`, `${presented.length}`),
    );
    return [];
  }

  #positionAbove({ certificate, index, authoritiesBelow }: Position, issuer: Certificate): Position {
    const counts = index > 0 && !certificate.isSelfIssued;
    return { certificate: issuer, index: index + 1, authoritiesBelow: authoritiesBelow + (counts ? 1 : 0) };
  }

  /** Returns whether the path has space for one more CA and an anchor above it. */
  #hasRoomFor(position: Position): boolean {
    const limit = this.#options.maxIntermediates ?? DEFAULT_MAX_INTERMEDIATES;
    const authorities = position.authoritiesBelow + (position.certificate.isSelfIssued ? 0 : 1);
    const fits = authorities <= limit && position.index + 1 < MAX_PATH;
    return fits || this.#refuse(() => tooLong(position, limit));
  }

  /** Checks the issuer, and that it signed the certificate below. */
  #issued(issuer: Position, below: Position): boolean {
    if (this.#limit.isExceeded) return false;
    if (!this.#limit.tryCandidate()) return this.#refuse(() => this.#limit.refusal(issuer));
    if (!this.#holds(issuerChecks, issuer)) return false;
    if (this.#signatures.isIssuedBy(below.certificate, issuer.certificate)) return true;
    if (this.#limit.isExceeded) return this.#refuse(() => this.#limit.refusal(issuer));
    return this.#refuse(() => notSigned(below, issuer));
  }

  #holds(checks: readonly Check[], position: Position): boolean {
    const failed = failedCheck(checks, position, this.#rules);
    if (failed === undefined) return true;
    return this.#refuse(() => refusalOf(failed, position, this.#rules));
  }

  #wholePathHolds(): boolean {
    const refusal = wholePathRefusal(this.#path, this.#limit, this.#rules);
    return refusal === undefined || this.#refuse(() => refusal);
  }

  #found(anchor: Anchor<Owner>): ValidPath<Owner> {
    return new ValidPath([...this.#path], anchor, this.#rules);
  }

  /**
   * Reports a refusal to the caller, and returns false. The refusal that ends the search is always reported, as the
   * last one.
   */
  #refuse(verdict: () => Verdict): false {
    const { onReject } = this.#options;
    const isLast = this.#limit.isExceeded;
    if (onReject === undefined || this.#isOver || (this.#rejections >= MAX_REJECTIONS - 1 && !isLast)) return false;
    this.#isOver = isLast;
    this.#rejections += 1;
    onReject(verdict());
    return false;
  }
}

function refusalOf(check: Check, position: Position, rules: Rules): Verdict {
  return refused(check.name, position, check.expected(position, rules), check.actual(position, rules));
}

function notSigned(below: Position, issuer: Position): Verdict {
  const expected = `signed by "${issuer.certificate.subject}" with key ${issuer.certificate.subjectKeyId ?? 'of no identifier'}`;
  return refused('signature', below, expected, 'the signature was made by another key, or over other content');
}

function tooLong(position: Position, limit: number): Verdict {
  const expected = `at most ${limit} CAs below an anchor, and at most ${MAX_PATH} certificates`;
  return refused('path-length', position, expected, `certificate ${position.index + 1}, with more to follow`);
}

function noIssuerKnown(last: Position): Verdict {
  const expected = `a trust anchor or a presented certificate named "${last.certificate.issuer}"`;
  return refused('trust-anchor', last, expected, 'none');
}

/** Runs the checks that need the whole path, leaf first. Returns the first refusal, or undefined. */
function wholePathRefusal(
  path: readonly Position[],
  limit: WorkLimit,
  { purposes }: Pick<Rules, 'purposes'>,
): Verdict | undefined {
  return nameConstraintsRefusal(path, limit) ?? policiesRefusal(path) ?? commonPurposeRefusal(path, purposes);
}

/** A single purpose has been checked for each certificate already. */
function commonPurposeRefusal(path: readonly Position[], purposes: Rules['purposes']): Verdict | undefined {
  return purposes === undefined || purposes.size < 2 ? undefined : purposeRefusal(path, purposes);
}

/**
 * Checks the name constraints of every CA, the anchor included, on all certificates below it (RFC 5280 §6.1.3 (b) and
 * (c)).
 */
function nameConstraintsRefusal(path: readonly Position[], limit: WorkLimit): Verdict | undefined {
  for (const issuer of path) {
    if (issuer.certificate.known.nameConstraints === undefined) continue;
    for (const position of path.slice(0, issuer.index)) {
      const refusal = namesRefusal(issuer, position, limit);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

function namesRefusal(issuer: Position, position: Position, limit: WorkLimit): Verdict | undefined {
  const constraints = issuer.certificate.known.nameConstraints;
  const { certificate, index } = position;
  // A CA may issue itself a certificate for a new key: its names count only in a leaf.
  if (constraints === undefined || (index > 0 && certificate.isSelfIssued)) return undefined;
  const names = constrainedNames(certificate);
  if (!limit.compareNames(comparisonCount(constraints, names))) return limit.refusal(position);
  const violation = nameViolation(constraints, names);
  if (violation === undefined) return undefined;
  const expected = `${violation.expected}, as "${issuer.certificate.subject}" demands`;
  return refused('name-constraints', position, expected, violation.actual);
}

function policiesRefusal(path: readonly Position[]): Verdict | undefined {
  const fault = policyFault(path.map((position) => position.certificate));
  if (fault === undefined) return undefined;
  return refused('certificate-policies', path[fault.index] as Position, fault.expected, fault.actual);
}
