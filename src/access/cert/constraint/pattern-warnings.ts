import type { Steps } from '../../../lib/slices.ts';
import type { CertConfig } from '../settings/cert-config.ts';
import { isOid } from '../settings/oid.ts';
import type { RoleSettings } from '../settings/role-settings.ts';
import { parseRequiredExtension } from './constraints.ts';
import { canBeDnsName, canBeFullyQualified } from './name-rules.ts';

/**
 * Maximum number of warnings about one role. The last one says how many were left out.
 * @limit warnings about a role, warnings -> the others are left out
 */
const MAX_WARNINGS = 100;

/** Returns the first warnings, and the number of further ones. */
export function* firstWarnings(all: Generator<string | undefined>): Steps<string[]> {
  const warnings: string[] = [];
  let surplus = 0;
  for (const warning of all) {
    if (warning === undefined) yield;
    else if (warnings.push(warning) > MAX_WARNINGS) {
      warnings.pop();
      surplus++;
    }
  }
  return surplus === 0 ? warnings : [...warnings, `and ${surplus} more`];
}

/**
 * Yields a warning for each pattern that no certificate can match with the mount's configuration. Yields undefined
 * between slices.
 */
export function* patternWarnings(settings: RoleSettings, config: CertConfig): Generator<string | undefined> {
  yield* oidWarnings(settings);
  yield* valueWarnings(settings);
  for (const { field, hasChance, fault } of patternChecks(config)) {
    for (const pattern of settings[field] ?? []) {
      yield hasChance(pattern) ? undefined : `${field}: "${pattern}" can never match: it is ${fault}`;
    }
  }
}

function oidWarnings(settings: RoleSettings): string[] {
  const required = (settings.required_extensions ?? []).map((item) => parseRequiredExtension(item).oid);
  const metadata = settings.allowed_metadata_extensions ?? [];
  return [
    ...required
      .filter((oid) => !isOid(oid))
      .map((oid) => `required_extensions: "${oid}" is not an object identifier, so no login can match`),
    ...metadata
      .filter((oid) => !isOid(oid))
      .map((oid) => `allowed_metadata_extensions: "${oid}" is not an object identifier`),
  ];
}

/** Warns about empty patterns, and about hex patterns with other characters than hex digits. */
function valueWarnings({ required_extensions: items }: RoleSettings): string[] {
  return (items ?? [])
    .filter((item) => {
      const { oid, pattern, hex } = parseRequiredExtension(item);
      return isOid(oid) && (hex ? !/^[\da-f*]*$/i.test(pattern) : pattern === '');
    })
    .map((item) => `required_extensions: "${item}" can never match: its pattern is empty, or not hex`);
}

const hasStar = (pattern: string): boolean => pattern.includes('*');
const hasEmailForm = (pattern: string): boolean => /^[^@]+@[^@]+$/.test(pattern);
const RULES = ', and strict_dns_names is on in the configuration';

interface PatternCheck {
  readonly field:
    | 'allowed_names'
    | 'allowed_common_names'
    | 'allowed_dns_sans'
    | 'allowed_email_sans'
    | 'allowed_uri_sans';
  /** Returns whether a pattern can match any value of the field. */
  readonly hasChance: (pattern: string) => boolean;
  readonly fault: string;
}

const ANY_RULES: readonly PatternCheck[] = [
  {
    field: 'allowed_email_sans',
    hasChance: (pattern) => hasStar(pattern) || hasEmailForm(pattern),
    fault: 'not an email address',
  },
  { field: 'allowed_uri_sans', hasChance: (pattern) => /^(\*|[A-Za-z][\w+.-]*[:*])/.test(pattern), fault: 'not a URI' },
];

function patternChecks({ strict_dns_names: strict, strict_dns_patterns: withinLabels }: CertConfig): PatternCheck[] {
  if (!strict) {
    const hasChance = (pattern: string) => hasStar(pattern) || /^[^@/:\s]+$/.test(pattern);
    return [...ANY_RULES, { field: 'allowed_dns_sans', hasChance, fault: 'not a DNS name' }];
  }
  return [
    ...ANY_RULES,
    { field: 'allowed_dns_sans', hasChance: canBeDnsName, fault: `not a DNS name${RULES}` },
    {
      field: 'allowed_common_names',
      hasChance: (pattern) => canBeFullyQualified(pattern, withinLabels),
      fault: `not a fully qualified DNS name${RULES}`,
    },
    {
      field: 'allowed_names',
      hasChance: (pattern) => hasStar(pattern) || hasEmailForm(pattern) || canBeDnsName(pattern),
      fault: `neither a DNS name nor an email address${RULES}`,
    },
  ];
}
