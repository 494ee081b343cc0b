import { TAKEN_OUT, withBareAddresses } from '../../lib/address/bare-address.ts';

/** Names of fields that contain a secret. */
const NAMES =
  'password|passwd|passphrase|secret|token|private_?key|access_?key|api_?key|signature|credential|authorization|cookie|session';

/**
 * Patterns of secrets and their replacements. They match rather too much than too little. Each is bounded, so that no
 * text takes long.
 */
const PATTERNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, TAKEN_OUT],
  // Parameters of a query.
  [new RegExp(`([?&][\\w.-]{0,40}(?:${NAMES}|sig|code|state)[\\w.-]{0,40}=)[^&\\s"'#<>]+`, 'gi'), `$1${TAKEN_OUT}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${TAKEN_OUT}`],
  // Secrets in fields: `"client_secret": "…"`, `password: …`, `token=…`.
  [
    new RegExp(
      `((?:${NAMES})[\\w.-]{0,40}\\\\?["']?\\s{0,9}[:=]\\s{0,9})(\\\\?"[^"]*"|'[^']*'|[^\\s"',;{}\\[\\]]+)`,
      'gi',
    ),
    `$1${TAKEN_OUT}`,
  ],
  // Tokens of this server and of servers from which users migrate.
  [/(?<![a-z\d])(?:(?:lk|hv)[a-z]\.[\w.+/=-]{8,}|[sbr]\.[a-zA-Z\d]{20,})/g, TAKEN_OUT],
  [/[\w-]{1,64}\.atlasv1\.[\w-]{1,128}/g, TAKEN_OUT],
  [/\beyJ[\w-]{8,2048}\.[\w-]{1,8192}\.[\w-]{0,2048}/g, TAKEN_OUT],
  [/\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g, TAKEN_OUT],
  [/\b(?:gh[opsru]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,})/g, TAKEN_OUT],
];

/** Redacts everything that looks like a secret, and everything behind the hosts of URLs. */
export function withoutPatterns(text: string): string {
  return PATTERNS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), withBareAddresses(text));
}
