import type { AccessSchemas } from '../../api/client.ts';

type Role = AccessSchemas['CertRole'];

/** A field of a role as somebody fills it in: a text, a list with a line for each, a length of time, yes or no. */
export interface RoleField {
  readonly name: keyof Role & string;
  readonly label: string;
  readonly kind: 'text' | 'code' | 'lines' | 'seconds' | 'flag';
  readonly help?: string;
}

/** In the words of the API; what is rarely set stays with `lockkeeper write`. */
export const GROUPS: readonly (readonly [label: string, fields: readonly RoleField[]])[] = [
  [
    'Who may issue',
    [
      { name: 'certificate', label: 'certificate', kind: 'code', help: 'PEM of the authority, or of several.' },
      { name: 'display_name', label: 'display_name', kind: 'text', help: 'What its tokens are called.' },
    ],
  ],
  [
    'Names',
    [
      {
        name: 'allowed_common_names',
        label: 'allowed_common_names',
        kind: 'lines',
        help: 'Patterns, one in a line; * for any characters. Empty: any.',
      },
      { name: 'allowed_dns_sans', label: 'allowed_dns_sans', kind: 'lines' },
      { name: 'allowed_email_sans', label: 'allowed_email_sans', kind: 'lines' },
      { name: 'allowed_uri_sans', label: 'allowed_uri_sans', kind: 'lines' },
      { name: 'allowed_organizational_units', label: 'allowed_organizational_units', kind: 'lines' },
      { name: 'required_extensions', label: 'required_extensions', kind: 'lines', help: 'oid:pattern, one in a line.' },
    ],
  ],
  [
    'Revocation',
    [
      {
        name: 'ocsp_enabled',
        label: 'ocsp_enabled',
        kind: 'flag',
        help: 'Ask the responder of its authority at each login.',
      },
      { name: 'ocsp_fail_open', label: 'ocsp_fail_open', kind: 'flag', help: 'Let in when no responder answers.' },
      { name: 'ocsp_servers_override', label: 'ocsp_servers_override', kind: 'lines' },
    ],
  ],
  [
    'Token',
    [
      { name: 'token_policies', label: 'token_policies', kind: 'lines' },
      { name: 'token_ttl', label: 'token_ttl', kind: 'seconds', help: 'Seconds; 0: as the mount says.' },
      { name: 'token_max_ttl', label: 'token_max_ttl', kind: 'seconds', help: 'Seconds; 0: as the mount says.' },
      { name: 'token_bound_cidrs', label: 'token_bound_cidrs', kind: 'lines', help: 'Where it may be used from.' },
    ],
  ],
];

export const FIELDS: readonly RoleField[] = GROUPS.flatMap(([, fields]) => fields);

/** What stands in the form. */
export type Filled = Readonly<Record<string, string | boolean>>;

/** A role as it stands in a form. */
export function filledOf(role: Partial<Role>): Filled {
  return Object.fromEntries(
    FIELDS.map(({ name, kind }) => {
      const value = role[name];
      if (kind === 'flag') return [name, value === true];
      if (kind === 'lines') return [name, Array.isArray(value) ? value.join('\n') : ''];
      return [name, value === undefined || value === null ? '' : String(value)];
    }),
  );
}

/** What of it is other than it was, as it is written. */
export function changesOf(before: Filled, after: Filled): Record<string, unknown> {
  const changed = FIELDS.filter(({ name }) => before[name] !== after[name]);
  return Object.fromEntries(
    changed.map(({ name, kind }) => {
      const value = after[name];
      if (kind === 'lines')
        return [
          name,
          String(value)
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        ];
      return [name, kind === 'seconds' ? String(value).trim() || '0' : value];
    }),
  );
}
