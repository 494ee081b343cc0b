import { type FieldGroups, field, TOKEN_FIELDS } from '../../components/role/fields.ts';

const CLAIMS = 'Names or JSON pointers, /a/b; one in a line.';

/** In the words of the API; what is rarely set stays with `lockkeeper write`. */
export const GROUPS: FieldGroups = [
  [
    'Whose tokens',
    [
      field('lines', 'bound_audiences', 'One of these is in aud. Empty: no token that has an audience.'),
      field('text', 'bound_subject', 'What sub is; empty: anything.'),
      field(
        'claims',
        'bound_claims',
        `claim = value, or several: ref = ["main", "release"]. Texts are quoted where they look like a number. ${CLAIMS}`,
      ),
      {
        ...field('choice', 'bound_claims_type', 'Whether a * in them stands for any characters.'),
        options: [
          ['string', 'string: to the letter'],
          ['glob', 'glob: * for any characters'],
        ],
      },
    ],
  ],
  [
    'Who it is then',
    [
      field('text', 'user_claim', 'The claim that names whoever logs in.'),
      field('flag', 'user_claim_json_pointer', 'It is a JSON pointer.'),
      field('text', 'groups_claim', 'The claim that names external groups.'),
      field('claims', 'claim_mappings', `claim = its name in the metadata of tokens. ${CLAIMS}`),
    ],
  ],
  [
    'Clocks',
    [
      field('number', 'clock_skew_leeway', 'Seconds; 0: a minute, -1: not at all.'),
      field('number', 'expiration_leeway', 'For tokens without exp. Seconds; 0: 150, -1: none.'),
      field('number', 'not_before_leeway', 'For tokens without nbf and iat. Seconds; 0: 150, -1: none.'),
    ],
  ],
  [
    'Token',
    [
      ...TOKEN_FIELDS,
      field('number', 'token_period', 'Seconds; then it can be renewed for ever.'),
      field('number', 'token_num_uses', '0: as often as somebody wants.'),
      field('flag', 'token_no_default_policy', 'Without the policy default.'),
    ],
  ],
];
