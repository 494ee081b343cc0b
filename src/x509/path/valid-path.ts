import type { Certificate } from '../certificate/certificate.ts';
import type { Anchor } from './anchors.ts';
import { issuerChecks, leafChecks, type Rules, signatureAlgorithm } from './checks.ts';
import { purposeRefusal } from './key-purposes.ts';
import type { AcceptedPurposes } from './key-usage.ts';
import { type Position, passed, type Verdict } from './verdict.ts';

/** A path whose checks all passed. */
export class ValidPath<Owner = undefined> {
  /** Certificates of the path, leaf first, anchor last; only the leaf if it is itself an anchor. */
  readonly certificates: readonly Certificate[];
  readonly anchor: Anchor<Owner>;
  readonly #positions: readonly Position[];
  readonly #rules: Rules;

  constructor(positions: readonly Position[], anchor: Anchor<Owner>, rules: Rules) {
    this.certificates = positions.map((position) => position.certificate);
    this.anchor = anchor;
    this.#positions = positions;
    this.#rules = rules;
  }

  /** Returns why no purpose of these is allowed by the whole path, for a caller who has searched with more purposes. */
  purposeRefusal(accepted: AcceptedPurposes): Verdict | undefined {
    return purposeRefusal(this.#positions, accepted);
  }

  /** Returns all checks for an audit entry or an explanation; the texts are created on demand. */
  verdicts(): Verdict[] {
    return [...this.#positions.flatMap((position) => this.#verdictsOn(position)), ...this.#verdictsOnWhole()];
  }

  #verdictsOn(position: Position): Verdict[] {
    const isAnchor = position.index === this.#positions.length - 1;
    const checks = [...(position.index === 0 ? leafChecks : issuerChecks), ...(isAnchor ? [] : [signatureAlgorithm])];
    const verdicts = checks.map((check) =>
      passed(check.name, position, check.expected(position, this.#rules), check.actual(position, this.#rules)),
    );
    const issuer = this.certificates[position.index + 1];
    if (issuer === undefined) return verdicts;
    return [...verdicts, passed('signature', position, `signed by "${issuer.subject}"`, 'signed by it')];
  }

  #verdictsOnWhole(): Verdict[] {
    const leaf = this.#positions[0] as Position;
    const anchor = this.#positions.at(-1) as Position;
    return [
      passed('name-constraints', leaf, 'names within the constraints of every CA', 'within'),
      passed('certificate-policies', leaf, 'a policy that every CA allows, if one requires it', 'allowed'),
      passed('trust-anchor', anchor, 'a trust anchor', `SHA-256 ${anchor.certificate.fingerprint}`),
    ];
  }
}
