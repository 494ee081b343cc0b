import { compareNumbers, compareVersions, VERSION, type Version, versionOf } from './version.ts';

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~>';

/** One condition of a constraint. */
export interface Condition {
  readonly operator: Operator;
  readonly version: Version;
  /** How many numbers of the version were written: `~> 1.2` lets the last of them grow. */
  readonly written: 1 | 2 | 3;
}

/** Conditions that must all hold. */
export type Constraint = readonly Condition[];

const CONDITION = new RegExp(`^(=|!=|>=|<=|>|<|~>)? *${VERSION}$`);

/**
 * Parses a version constraint as Terraform writes it: conditions with commas between them, such as `~> 1.5, != 1.5.2`.
 * A version alone means `=`. Returns undefined for another text.
 */
export function parseConstraint(text: string): Constraint | undefined {
  const conditions = text.split(',').map((term) => parseCondition(term.trim()));
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

function parseCondition(term: string): Condition | undefined {
  const match = CONDITION.exec(term);
  if (match === null) return undefined;
  const [, operator = '=', ...groups] = match;
  const written = groups[2] !== undefined ? 3 : groups[1] !== undefined ? 2 : 1;
  return { operator: operator as Operator, version: versionOf(groups), written };
}

/** Returns whether a version satisfies all conditions, by the rules of Terraform (README). */
export const isSatisfied = (constraint: Constraint, version: Version): boolean =>
  constraint.every((condition) => holds(condition, version));

function holds({ operator, version: bound, written }: Condition, version: Version): boolean {
  const order = compareVersions(version, bound);
  if (operator === '=') return order === 0;
  if (operator === '!=') return order !== 0;
  if (!isComparable(version, bound)) return false;
  if (operator === '>') return order > 0;
  if (operator === '>=') return order >= 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  const isSamePart = version.numbers.every((number, index) => index >= written - 1 || number === bound.numbers[index]);
  return isSamePart && order >= 0 && (bound.prerelease === '' || version.prerelease !== '');
}

/** Users choose prereleases knowingly: a range has only prereleases of the version that it names, if it names one. */
function isComparable(version: Version, bound: Version): boolean {
  if (version.prerelease === '') return true;
  return bound.prerelease !== '' && compareNumbers(version.numbers, bound.numbers) === 0;
}
