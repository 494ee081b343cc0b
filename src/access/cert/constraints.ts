import { withinBlocks } from '../../lib/cidr.ts';
import { matchesGlob } from '../../lib/glob.ts';
import type { Certificate } from '../../x509/index.ts';
import { isOid } from './oid.ts';
import type { RoleSettings } from './role-fields.ts';
import type { Verdict } from './verdict.ts';

/** What a login shows beyond its chain. */
export interface Presented {
  readonly leaf: Certificate;
  readonly address: string;
}

/** One condition of a role, ready to be checked. */
export interface Constraint {
  readonly check: string;
  readonly expected: string;
  /** What the login shows, as text for the verdict. */
  actual(presented: Presented): string;
  holds(presented: Presented): boolean;
}

/**
 * The conditions of a role (spec §2.2). An unset list sets no condition. Within one condition any pattern may match any
 * value; between conditions all must hold. A `*` in a pattern matches any run of characters, dots included.
 */
export function compileConstraints(settings: RoleSettings): readonly Constraint[] {
  const constraints = [
    names('allowed_names', settings.allowed_names, (leaf) => [
      ...commonName(leaf),
      ...leaf.dnsNames,
      ...leaf.emailAddresses,
    ]),
    names('allowed_common_names', settings.allowed_common_names, commonName),
    names('allowed_dns_sans', settings.allowed_dns_sans, (leaf) => leaf.dnsNames),
    names('allowed_email_sans', settings.allowed_email_sans, (leaf) => leaf.emailAddresses),
    names('allowed_uri_sans', settings.allowed_uri_sans, (leaf) => leaf.uris),
    names('allowed_organizational_units', settings.allowed_organizational_units, (leaf) => leaf.organizationalUnits),
    ...(settings.required_extensions ?? []).map(requiredExtension),
    boundCidrs(settings.token_bound_cidrs),
  ];
  return constraints.filter((constraint) => constraint !== undefined);
}

/** Every constraint, also after one has failed: an administrator wants all of the reasons at once. */
export function judge(constraints: readonly Constraint[], presented: Presented): Verdict[] {
  return constraints.map((constraint) => ({
    check: constraint.check,
    outcome: constraint.holds(presented) ? 'passed' : 'refused',
    expected: constraint.expected,
    actual: constraint.actual(presented),
  }));
}

const commonName = (leaf: Certificate): readonly string[] => (leaf.commonName === undefined ? [] : [leaf.commonName]);

function names(
  check: string,
  patterns: readonly string[] | null,
  valuesOf: (leaf: Certificate) => readonly string[],
): Constraint | undefined {
  if (!patterns?.length) return undefined;
  return {
    check,
    expected: patterns.join(', '),
    actual: ({ leaf }) => valuesOf(leaf).join(', ') || 'none',
    holds: ({ leaf }) => valuesOf(leaf).some((value) => patterns.some((pattern) => matchesGlob(pattern, value))),
  };
}

/** `oid:pattern` against a text, or `hex:oid:pattern` against the whole value in hex. */
function requiredExtension(item: string): Constraint {
  const { oid, pattern, hex } = parseRequiredExtension(item);
  const wanted = hex ? pattern.toLowerCase() : pattern;
  const valueIn = (leaf: Certificate): string | undefined => {
    if (!isOid(oid)) return undefined;
    return hex ? leaf.extension(oid)?.value.toString('hex') : leaf.extensionText(oid) || undefined;
  };
  return {
    check: 'required_extensions',
    expected: item,
    actual: ({ leaf }) => valueIn(leaf) ?? 'absent, or not a text',
    holds: ({ leaf }) => {
      const value = valueIn(leaf);
      return value !== undefined && matchesGlob(wanted, value);
    },
  };
}

/** The parts of an item of `required_extensions`; the pattern may hold colons. */
export function parseRequiredExtension(item: string): { oid: string; pattern: string; hex: boolean } {
  const hex = item.startsWith('hex:');
  const rest = hex ? item.slice(4) : item;
  const colon = rest.indexOf(':');
  return { oid: rest.slice(0, Math.max(colon, 0)), pattern: rest.slice(colon + 1), hex };
}

function boundCidrs(blocks: readonly string[]): Constraint | undefined {
  if (blocks.length === 0) return undefined;
  return {
    check: 'token_bound_cidrs',
    expected: blocks.join(', '),
    actual: ({ address }) => address,
    holds: ({ address }) => withinBlocks(address, blocks),
  };
}
